"""What is a decision made of? The words of the policy: kinds, modes, the facts of a call, and the trail of reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Literal, TypeAlias

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"
Refused: TypeAlias = Literal["no", "same_target", "uncertain"]


class Ranked(StrEnum):
    """A word with a place in an order: without this, `Mode.DO < Mode.ASK` would compare letters."""

    rank: int

    def __init__(self, *_: str) -> None:
        self.rank = len(type(self).__members__)

    def __lt__(self, other: str) -> bool:
        return self.rank < type(self)(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= type(self)(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > type(self)(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= type(self)(other).rank


class Kind(Ranked):
    """The risk of a tool, by its effect, from the mildest."""

    READ = "read"
    ORGANIZE = "organize"
    DRAFT = "draft"
    ACT = "act"
    DELETE = "delete"


class Mode(Ranked):
    """What happens to a call, from the loosest."""

    DO = "do"
    TELL = "tell"
    ASK = "ask"
    NEVER = "never"


class Comparison(StrEnum):
    """How a condition looks at an argument. Addresses and domains are parsed, amounts are decimals."""

    IS = "is"
    IS_ONE_OF = "is_one_of"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    DOMAIN_IS = "domain_is"


NOTHING: Mapping[str, str] = {}  # never written to


@dataclass(frozen=True, slots=True)
class Step:
    """One rule that applied, with the mode before and after it. The note holds metadata, never content."""

    rule: str
    before: Mode
    after: Mode
    note: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    least: Mode | None = None  # the floor, which the two modes do not show where it changed nothing

    def to_json(self) -> dict[str, Json]:
        """As it is stored with the call."""
        return {
            "rule": self.rule,
            "before": self.before.value,
            "after": self.after.value,
            "least": None if self.least is None else self.least.value,
            "note": dict(self.note),
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to a call, and the rules that led there.

    `refusal` names the rule by which this very call gets a refusing result although its tool stays listed;
    whoever executes looks at it before the mode.
    """

    mode: Mode
    trail: tuple[Step, ...] = ()
    exception: str | None = None
    grant: str | None = None
    refusal: str | None = None

    def at_least(self, least: Mode, *, because: str, note: Mapping[str, str] = NOTHING) -> Decision:
        """Put a floor under the mode. It leaves its step also where it changes nothing."""
        after = least if least.rank > self.mode.rank else self.mode
        step = Step(because, self.mode, after, note, least)
        return Decision(after, (*self.trail, step), self.exception, self.grant, self.refusal)

    @property
    def because(self) -> str:
        """The rule that made the mode what it is: the last that changed it, or the one that set it."""
        changing = [step.rule for step in self.trail if step.before is not step.after]
        return changing[-1] if changing else self.trail[0].rule

    def to_json(self) -> dict[str, Json]:
        """As it is stored with the call, journalled and shown by the API."""
        return {
            "mode": self.mode.value,
            "trail": [step.to_json() for step in self.trail],
            "exception": self.exception,
            "grant": self.grant,
            "refusal": self.refusal,
        }

    @classmethod
    def from_json(cls, stored: Json) -> Decision:
        """Read a stored decision; a shape or a word that is not ours raises `ValueError`."""
        kept = _mapping(stored)
        trail = kept["trail"]
        if isinstance(trail, str) or not isinstance(trail, Sequence):
            raise ValueError("a trail is a list of steps")
        mode = Mode(str(kept["mode"]))
        steps = tuple(_step(_mapping(step)) for step in trail)
        if steps and replay(steps) is not mode:
            raise ValueError("the trail does not lead to the stored mode")
        return cls(mode, steps, _name(kept, "exception"), _name(kept, "grant"), _name(kept, "refusal"))


def replay(trail: Sequence[Step]) -> Mode:
    """Recompute the mode from the trail alone; a broken chain raises `ValueError`."""
    mode = trail[0].before
    for step in trail:
        if step.before is not mode:
            raise ValueError(f"step {step.rule} does not follow on the one before")
        if step.least is not None and step.after is not max(step.before, step.least):
            raise ValueError(f"step {step.rule} does not stand on its floor")
        mode = step.after
    return mode


def _step(kept: Mapping[str, Json]) -> Step:
    note = {key: str(value) for key, value in _mapping(kept.get("note") or {}).items()}
    least = kept.get("least")
    floor = None if least is None else Mode(str(least))
    return Step(str(kept["rule"]), Mode(str(kept["before"])), Mode(str(kept["after"])), note or NOTHING, floor)


def _mapping(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise ValueError("expected named values")
    return value


def _name(kept: Mapping[str, Json], key: str) -> str | None:
    value = kept.get(key)
    return None if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Condition:
    """What an argument must be for an exception to hold. `value` is a text, a number, or a list for `is_one_of`."""

    field: str
    comparison: Comparison
    value: Json


@dataclass(frozen=True, slots=True)
class StandingException:
    """A sentence on the job sheet that lets named tools go from `ask` to `tell`."""

    id: str
    text: str
    tools: frozenset[str]
    conditions: tuple[Condition, ...] = ()
    ends_on: date | None = None
    uses_per_day: int | None = None
    uses_left: int | None = None  # today's, where the caller counted them; None: counted when the intent is written


@dataclass(frozen=True, slots=True)
class GrantView:
    """A person's "always in this conversation", still in force. An empty scope is the wide one."""

    id: str
    tool: str
    scope: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModeSheet:
    """What a version of a job sheet says about modes."""

    kinds: Mapping[Kind, Mode] = field(default_factory=dict)
    tools: Mapping[str, Mode] = field(default_factory=dict)
    public_tools: frozenset[str] = frozenset()
    exceptions: tuple[StandingException, ...] = ()
    outside_content_rule: bool = True


@dataclass(frozen=True, slots=True)
class ToolView:
    """What the policy knows about a tool. `targets` say where the effect goes, `leaves` are free text that goes out."""

    name: str
    kind: Kind
    reads_outside: bool = False
    open_to_strangers: bool = False
    bound_to_customer: bool = False
    reviewed: bool = True
    changed: bool = False
    targets: frozenset[str] = frozenset()
    leaves: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()  # filled in by us, never by the model
    foreign: bool = False  # of an MCP server: nobody declared its targets, so all its arguments count
    house_only: bool = False  # memory, delegation, workflow: never in public chat, listed or not


@dataclass(frozen=True, slots=True)
class Limits:
    """Hard limits of a template or a tenant: what no agent may do, and what is never looser than."""

    never_kinds: frozenset[Kind] = frozenset()
    floors: Mapping[Kind, Mode] = field(default_factory=dict)
    tools: Mapping[str, Mode] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CeilingFact:
    """A total that this call counts towards: what is used already, and what this call adds."""

    name: str
    soft: bool
    limit: Decimal
    used: Decimal
    this: Decimal
    unit: str = ""
    id: str = ""  # which one it is on the job sheet, where two read the same

    @property
    def over(self) -> Decimal:
        """By how much the total would be passed; zero or less where it would not."""
        return self.used + self.this - self.limit


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a decision may depend on, as of the moment when the model was asked for the turn."""

    tool: ToolView
    sheet: ModeSheet = field(default_factory=ModeSheet)
    limits: tuple[Limits, ...] = ()
    ceilings: tuple[CeilingFact, ...] = ()
    things: int = 1
    on_trial: bool = False
    public_channel: bool = False
    customer_verified: bool = False
    outside_read: bool = False  # the conversation has read text that a third party can write
    house_read: bool = True  # unknown counts as read
    address_listed: bool = False  # the address of an outside read was typed by a person, or stands on the list
    refused: Refused | None = None
    person_refused: bool = False
    grants: tuple[GrantView, ...] = ()
    arguments: Mapping[str, Json] = field(default_factory=dict)  # canonical, bound ones included, ours taken off
    cited: str | None = None
    today: date = date.max  # the tenant's day; unknown counts as after every end date
