"""What of a server's list can be used? Names and forms that deceive, collide or do harm are refused when listed."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from jsonschema import Draft202012Validator, SchemaError  # type: ignore[import-untyped]  # it brings no types
from pydantic import JsonValue

from app.policy.words import N_
from app.tools.mcp.client import MOST_TOOLS, Listed
from app.tools.mcp.foreign import BETWEEN

SERVER_NAME: Final = re.compile(r"[a-z][a-z0-9]{1,30}")
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./:-]{0,79}")
PROPERTY: Final = re.compile(r"[a-zA-Z0-9.-][a-zA-Z0-9_.-]{0,63}")  # none of ours, which begin with _
LONGEST_DESCRIPTION: Final = 1_000  # characters of it that the model reads
LONGEST_SCHEMA: Final = 8_000  # characters
DEEPEST: Final = 16
MOST_PARTS: Final = 5_000  # with every reference followed

# Why a tool of a list is left out, for the admin; the keys are stored.
REFUSALS: Final[Mapping[str, str]] = {
    "name": N_("Its name holds signs that no name here may hold."),
    "duplicate": N_("Two abilities have the same name, so nobody could tell them apart."),
    "ours": N_("It bears the name of something that Placet itself does."),
    "secret": N_("Its name holds the service’s key."),
    "form": N_("What it wants to be told cannot be read."),
    "long": N_("What it wants to be told is too long or too deep."),
    "many": N_("The service lists more than can be looked at."),
}


@dataclass(frozen=True)
class Refusal:
    """A tool that is not taken, and the key of the reason."""

    name: str
    why: str


def usable(
    listed: Iterable[Listed], *, ours: Iterable[str], server: str
) -> tuple[list[tuple[str, Listed]], list[Refusal]]:
    """Each tool that can be used, with the name that it bears here; and those that are refused."""
    tools = list(listed)
    times = Counter(folded(tool.name) for tool in tools)
    reserved = {folded(name) for name in ours}
    taken: list[tuple[str, Listed]] = []
    refused: list[Refusal] = []
    for tool in tools:
        why = _refused(tool, times, reserved)
        if why is None:
            taken.append((full_name(server, tool.name), tool))
        else:
            refused.append(Refusal(tool.name[:80], why))
    if len(tools) >= MOST_TOOLS:
        refused.append(Refusal("…", "many"))
    return taken, refused


def full_name(server: str, name: str) -> str:
    """`server__tool`, in letters that the model's provider takes."""
    return f"{server}{BETWEEN}{re.sub(r'[^A-Za-z0-9_-]', '_', name)}"


def folded(name: str) -> str:
    """`sendReply`, `send-reply` and `SEND_REPLY` are one name."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def whole(tool: Listed) -> JsonValue:
    """The definition in full, to notice any change of it."""
    return [tool.name, tool.description, dict(tool.schema), dict(tool.annotations)]


def _refused(tool: Listed, times: Counter[str], reserved: set[str]) -> str | None:
    if not NAME.fullmatch(tool.name) or not folded(tool.name):
        return "name"
    if times[folded(tool.name)] > 1:
        return "duplicate"
    if folded(tool.name) in reserved:
        return "ours"
    return _wrong_schema(tool.schema)


def _wrong_schema(schema: Mapping[str, JsonValue]) -> str | None:
    """The provider refuses a whole request for one bad form, so a bad form never gets that far."""
    try:
        if len(json.dumps(schema)) > LONGEST_SCHEMA or _depth(dict(schema)) > DEEPEST:
            return "long"
        Draft202012Validator.check_schema(schema)
        definitions = schema.get("$defs", {})
        _size(dict(schema), definitions if isinstance(definitions, dict) else {})
    except (SchemaError, RecursionError, ValueError):
        return "form"
    properties = schema.get("properties", {})
    if schema.get("type") != "object" or not isinstance(properties, dict):
        return "form"
    if any(word in schema for word in ("oneOf", "allOf", "anyOf")) or not all(map(PROPERTY.fullmatch, properties)):
        return "form"
    return None


def _size(value: JsonValue, definitions: Mapping[str, JsonValue], within: frozenset[str] = frozenset()) -> int:
    """How much there is to look at, references followed. Raises ValueError for one that leads elsewhere or in a circle:
    the first would be fetched, the second never ends, and a few that branch would outlast the task."""
    size = 1
    if isinstance(value, dict):
        if any(name in value for name in ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef")):
            raise ValueError("a form that names itself")
        if "$ref" in value:
            name = str(value["$ref"]).removeprefix("#/$defs/")
            if name not in definitions or name in within:
                raise ValueError("a reference that leads elsewhere")
            size += _size(definitions[name], definitions, within | {name})
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        size += _size(item, definitions, within)
        if size > MOST_PARTS:
            raise ValueError("a form without end")
    return size


def _depth(value: JsonValue) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)
