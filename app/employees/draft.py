"""What does a job sheet say, as people read and edit it, and what is different between two?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import JsonValue

from app.ceilings.ceiling import Ceiling
from app.employees.models import JobSheet
from app.employees.sheet import mode_sheet
from app.policy.decision import Condition, Kind, Mode, ModeSheet, StandingException


@dataclass(frozen=True)
class Draft:
    """A whole job sheet, saved or not. `talkers` are the colleagues who may talk to the employee; empty: everybody."""

    mission: str
    instructions: str
    kinds: Mapping[Kind, Mode]
    tools: Mapping[str, Mode]
    listed_tools: tuple[str, ...]
    public_tools: tuple[str, ...] = ()
    exceptions: tuple[StandingException, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    outside_content_rule: bool = True
    talkers: frozenset[UUID] = frozenset()
    title: str = ""

    def modes(self) -> ModeSheet:
        """As `decide()` takes it."""
        return ModeSheet(
            self.kinds, self.tools, frozenset(self.public_tools), self.exceptions, self.outside_content_rule
        )

    def words(self) -> dict[str, JsonValue]:
        """What people wrote: the sealed part."""
        return {
            "mission": self.mission,
            "instructions": self.instructions,
            "title": self.title,
            "exceptions": [exception_to_json(one) for one in self.exceptions],
        }


def draft_of(sheet: JobSheet, words: Mapping[str, Any]) -> Draft:
    """A stored version, as it can be edited."""
    modes = mode_sheet(sheet, words)
    return Draft(
        mission=str(words.get("mission", "")),
        instructions=str(words.get("instructions", "")),
        kinds=modes.kinds,
        tools=modes.tools,
        listed_tools=tuple(str(name) for name in sheet.listed_tools),
        public_tools=tuple(str(name) for name in sheet.public_tools),
        exceptions=modes.exceptions,
        ceilings=tuple(Ceiling.from_json(kept) for kept in sheet.ceilings),
        outside_content_rule=sheet.outside_content_rule,
        talkers=frozenset(UUID(str(user_id)) for user_id in sheet.talkers),
        title=str(words.get("title", "")),
    )


def exception_to_json(one: StandingException) -> dict[str, JsonValue]:
    """An exception as it is stored (app/employees/sheet.py reads it)."""
    return {
        "id": one.id,
        "text": one.text,
        "tools": [*sorted(one.tools)],
        "conditions": [_condition(condition) for condition in one.conditions],
        "ends_on": one.ends_on.isoformat() if one.ends_on else None,
        "uses_per_day": one.uses_per_day,
    }


def _condition(condition: Condition) -> dict[str, JsonValue]:
    value = condition.value
    plain: JsonValue = list(value) if isinstance(value, tuple | list) else value  # type: ignore[assignment]  # JSON
    return {"field": condition.field, "comparison": condition.comparison.value, "value": plain}


class Part(StrEnum):
    """A part of a job sheet that may differ."""

    MISSION = "mission"
    INSTRUCTIONS = "instructions"
    KIND = "kind"
    TOOL = "tool"
    LISTED = "listed_tool"
    PUBLIC = "public_tool"
    EXCEPTION = "exception"
    CEILING = "ceiling"
    OUTSIDE_CONTENT = "outside_content"
    TALKERS = "talkers"


@dataclass(frozen=True)
class Difference:
    """One thing that changed. `which` is the kind, the tool, or the id; None: it is not there."""

    part: Part
    which: str
    before: JsonValue
    after: JsonValue


def differences(before: Draft, after: Draft) -> tuple[Difference, ...]:
    """Everything that is different, in the order of the page."""
    return tuple(_differences(before, after))


def _differences(before: Draft, after: Draft) -> Iterator[Difference]:
    old, new = _parts(before), _parts(after)
    for part in Part:
        for which in [*old[part], *(name for name in new[part] if name not in old[part])]:
            was, is_now = old[part].get(which), new[part].get(which)
            if was != is_now:
                yield Difference(part, which, was, is_now)


def _parts(draft: Draft) -> Mapping[Part, Mapping[str, JsonValue]]:
    ceilings = (replace(one, since=None) for one in draft.ceilings)
    return {
        Part.MISSION: {"": draft.mission},
        Part.INSTRUCTIONS: {"": draft.instructions},
        Part.KIND: {kind.value: mode.value for kind, mode in draft.kinds.items()},
        Part.TOOL: {name: mode.value for name, mode in draft.tools.items()},
        Part.LISTED: dict.fromkeys(draft.listed_tools, True),
        Part.PUBLIC: dict.fromkeys(draft.public_tools, True),
        Part.EXCEPTION: {one.id: exception_to_json(one) for one in draft.exceptions},
        Part.CEILING: {one.id: one.to_json() for one in ceilings},
        Part.OUTSIDE_CONTENT: {"": draft.outside_content_rule},
        Part.TALKERS: {"": [*sorted(str(user_id) for user_id in draft.talkers)]},
    }
