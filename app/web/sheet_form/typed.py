"""What did somebody type into the form of a job sheet? Their own words, also those that do not fit: nothing is lost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from app.ceilings.ceiling import Ceiling
from app.employees.choices import ToolChoice
from app.employees.draft import Draft
from app.policy.decision import Condition, Json, StandingException

AS_USUAL = ""  # as usual for its kind of work
ABSENT = "absent"  # the employee does not have it
ONLY_SOME = "some"


@dataclass(frozen=True, slots=True)
class TypedCondition:
    field: str = ""
    comparison: str = "is"
    value: str = ""


@dataclass(frozen=True, slots=True)
class TypedException:
    id: str = ""
    text: str = ""
    tools: tuple[str, ...] = ()
    conditions: tuple[TypedCondition, ...] = ()
    ends_on: str = ""
    uses_per_day: str = ""


@dataclass(frozen=True, slots=True)
class TypedCeiling:
    id: str = ""
    tools: tuple[str, ...] = ()
    counts: str = ""  # the name of an amount; empty: how often
    limit: str = ""
    unit: str = ""
    per: str = "all"
    period: str = "day"
    beyond: str = "hard"


@dataclass(frozen=True, slots=True)
class Typed:
    """The whole form. `tools` says of each: absent, as its kind, or a mode of its own."""

    based_on: int
    mission: str = ""
    instructions: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    public_tools: tuple[str, ...] = ()
    who: str = ""
    talkers: tuple[str, ...] = ()
    outside: bool | None = None  # None: it was not asked
    exceptions: tuple[TypedException, ...] = ()
    ceilings: tuple[TypedCeiling, ...] = ()

    def has(self, choice: ToolChoice) -> bool:
        """Would the employee have it?"""
        return choice.built_in or self.tools.get(choice.tool.name, ABSENT) != ABSENT


def typed_of(draft: Draft, based_on: int) -> Typed:
    """A job sheet as its form is filled in at first."""
    return Typed(
        based_on=based_on,
        mission=draft.mission,
        instructions=draft.instructions,
        kinds={kind.value: mode.value for kind, mode in draft.kinds.items()},
        tools={name: AS_USUAL for name in draft.listed_tools}
        | {name: mode.value for name, mode in draft.tools.items()},
        public_tools=draft.public_tools,
        who=ONLY_SOME if draft.talkers else "",
        talkers=tuple(sorted(str(one) for one in draft.talkers)),
        outside=draft.outside_content_rule,
        exceptions=tuple(_exception(one) for one in draft.exceptions),
        ceilings=tuple(_ceiling(one) for one in draft.ceilings),
    )


def _exception(one: StandingException) -> TypedException:
    return TypedException(
        id=one.id,
        text=one.text,
        tools=tuple(sorted(one.tools)),
        conditions=tuple(_condition(condition) for condition in one.conditions),
        ends_on=one.ends_on.isoformat() if one.ends_on else "",
        uses_per_day="" if one.uses_per_day is None else str(one.uses_per_day),
    )


def _condition(one: Condition) -> TypedCondition:
    values = one.value if isinstance(one.value, list | tuple) else (one.value,)
    return TypedCondition(one.field, one.comparison.value, ", ".join(_written(each) for each in values))


def _written(value: Json) -> str:
    """A sum without the zeros that nobody wrote."""
    return f"{Decimal(str(value)).normalize():f}" if isinstance(value, float) else str(value)


def _ceiling(one: Ceiling) -> TypedCeiling:
    return TypedCeiling(
        id=one.id,
        tools=tuple(sorted(one.tools)),
        counts=one.counts or "",
        limit=f"{one.limit.normalize():f}",
        unit=one.unit,
        per=one.per.value,
        period=one.period.value,
        beyond="soft" if one.soft else "hard",
    )
