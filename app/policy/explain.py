"""What may an employee do, and why? The whole matrix of a job sheet, asked of `decide()` row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.policy.decide import decide
from app.policy.decision import Decision, Facts, Kind, Limits, Mode, ModeSheet, ToolView


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the employee stands, apart from its job sheet."""

    limits: tuple[Limits, ...] = ()
    on_trial: bool = False
    public_channel: bool = False
    customer_verified: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One tool: what happens to a call as a run starts, and after it has read something from outside."""

    tool: str
    kind: Kind
    start: Decision
    after_outside: Decision

    @property
    def mode(self) -> Mode:
        """What happens as it starts."""
        return self.start.mode

    @property
    def rule(self) -> str:
        """The rule that made it so."""
        return self.start.because

    @property
    def mode_after_outside(self) -> Mode:
        """What happens once something from outside was read."""
        return self.after_outside.mode

    @property
    def rule_after_outside(self) -> str:
        """The rule that made it so then."""
        return self.after_outside.because


class Way(StrEnum):
    """How a row changes from one job sheet to another."""

    LOOSER = "looser"
    STRICTER = "stricter"
    NEW = "new"
    GONE = "gone"


class Moment(StrEnum):
    """The two columns of the matrix."""

    START = "start"
    AFTER_OUTSIDE = "after_outside"


@dataclass(frozen=True, slots=True)
class Change:
    """ "If you save this": what one tool does today and would do then, and the rule behind it."""

    tool: str
    kind: Kind
    moment: Moment
    before: Mode | None
    after: Mode | None
    rule: str
    way: Way


def explain(sheet: ModeSheet, tools: Sequence[ToolView], situation: Situation | None = None) -> tuple[Row, ...]:
    """The matrix of a job sheet in a situation: one row per tool, in the order given."""
    standing = situation or Situation()
    return tuple(_row(facts_of(tool, sheet, standing)) for tool in tools)


def facts_of(tool: ToolView, sheet: ModeSheet, situation: Situation) -> Facts:
    """The facts of a call of which only the tool is known."""
    return Facts(
        tool=tool,
        sheet=sheet,
        limits=situation.limits,
        on_trial=situation.on_trial,
        public_channel=situation.public_channel,
        customer_verified=situation.customer_verified,
    )


def changes(today: Sequence[Row], then: Sequence[Row]) -> tuple[Change, ...]:
    """What is different in `then`, tools in its order and those that are gone at the end."""
    old = {row.tool: row for row in today}
    new = {row.tool: row for row in then}
    return tuple(
        change
        for name in (*new, *(gone for gone in old if gone not in new))
        for moment in Moment
        if (change := _change(old.get(name), new.get(name), moment)) is not None
    )


def said_once(found: Sequence[Change]) -> Iterator[tuple[Change, Moment | None]]:
    """Each change with its moment; what is the same at both moments once, with none."""
    at = {(one.tool, one.before, one.after, one.moment) for one in found}
    for one in found:
        both = all((one.tool, one.before, one.after, moment) in at for moment in Moment)
        if not both or one.moment is Moment.START:
            yield one, None if both else one.moment


def _row(facts: Facts) -> Row:
    start = decide(replace(facts, outside_read=False))
    return Row(facts.tool.name, facts.tool.kind, start, decide(replace(facts, outside_read=True)))


def _change(old: Row | None, new: Row | None, moment: Moment) -> Change | None:
    row = new or old
    if row is None:
        return None
    before, after = _column(old, moment), _column(new, moment)
    if before is None:
        way = Way.NEW
    elif after is None:
        way = Way.GONE
    elif before.mode is after.mode:
        return None
    else:
        way = Way.LOOSER if after.mode < before.mode else Way.STRICTER
    deciding = after or before
    rule = deciding.because if deciding else ""
    modes = [column.mode if column else None for column in (before, after)]
    return Change(row.tool, row.kind, moment, modes[0], modes[1], rule, way)


def _column(row: Row | None, moment: Moment) -> Decision | None:
    if row is None:
        return None
    columns: Mapping[Moment, Decision] = {Moment.START: row.start, Moment.AFTER_OUTSIDE: row.after_outside}
    return columns[moment]
