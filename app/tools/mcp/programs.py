"""Which programs of this machine may be a service? Those that the operator named, word for word, and no other.

A company picks one by its name (`local:NAME`); what is started, and with which arguments, it can never say.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.errors import BadConfiguration, ToolError
from app.policy.words import N_

LOCAL: Final = "local:"
NAME: Final = r"^[a-z][a-z0-9-]{0,30}$"
# The value is a company's: a name like LD_PRELOAD or PYTHONPATH would let it choose what is run.
KEY_AS: Final = r"^([A-Z][A-Z0-9]*_)*(KEY|TOKEN|SECRET|PASSWORD)$"
NOT_STARTED_HERE = N_("This program may not be started here. Nothing was asked of it.")


class NotStartedHere(ToolError):
    """The operator does not name this program, or no longer."""


@dataclass(frozen=True)
class Program:
    """What is started for a service, and the variable in which the program expects the company's key, if any."""

    command: tuple[str, ...]
    key_as: str = ""


class _Written(BaseModel):
    """One program as the operator wrote it."""

    model_config = ConfigDict(extra="forbid")
    command: list[Annotated[str, Field(pattern=r"^[^\x00]+$")]] = Field(min_length=1)
    key_as: str = Field("", pattern=f"{KEY_AS}|^$")


_SETTING: Final = TypeAdapter(dict[Annotated[str, Field(pattern=NAME)], _Written])


def programs_of(setting: str) -> Mapping[str, Program]:
    """PLACET_LOCAL_SERVICES, read. Raises BadConfiguration with one line."""
    if not setting.strip():
        return {}
    try:
        written = _SETTING.validate_json(setting)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _bad(f"{where}: {first['msg']}" if where else first["msg"]) from None
    for name, one in written.items():
        if not os.path.isabs(one.command[0]) or not os.access(one.command[0], os.X_OK):
            raise _bad(f"{name}: the command has to begin with the whole path of a program that can be started")
    return {name: Program(tuple(one.command), one.key_as) for name, one in written.items()}


def is_local(address: str) -> bool:
    """Does it name a program instead of a place?"""
    return address.startswith(LOCAL)


def program_at(programs: Mapping[str, Program], address: str) -> Program:
    """What this address stands for. Raises NotStartedHere."""
    found = programs.get(address.removeprefix(LOCAL)) if is_local(address) else None
    if found is None:
        raise NotStartedHere(NOT_STARTED_HERE)
    return found


def _bad(what: str) -> BadConfiguration:
    example = '{"notes": {"command": ["/usr/bin/notes-mcp"], "key_as": "NOTES_API_KEY"}}'
    one_line = re.sub(r"\s+", " ", what)
    return BadConfiguration(f"PLACET_LOCAL_SERVICES: {one_line}. It is written like this: {example}")
