"""What may be offered to a person so that less asks? Only what would help: each offer was tried with `decide()`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.policy.conditions import FIXING, is_absent, names_addresses
from app.policy.decide import decide
from app.policy.decision import (
    Comparison,
    Condition,
    Decision,
    Facts,
    GrantView,
    Json,
    Mode,
    StandingException,
    ToolView,
)
from app.policy.exceptions import USES_PER_DAY, narrow_scope

TRIED = "tried"  # the id of a grant that nobody has given yet
ANYTHING = "anything"  # stands for what the model would write


@dataclass(frozen=True, slots=True)
class GrantOffer:
    """One "always in this conversation" that a person could give, the narrow one first."""

    width: str  # narrow or wide
    scope: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Reach:
    """What an exception lets through for one tool, and what not: the data of the editor's sentence."""

    tool: str
    as_it_starts: bool  # goes ahead then
    after_outside: bool
    needed: bool  # the sentence is what lets it through, in one of the two at least
    held_by: str | None  # the rule that keeps it from going ahead whatever the sentence says
    open_targets: frozenset[str]  # where it goes is left to the employee
    free_text: frozenset[str]  # what leaves the house is the employee's own text
    uses_per_day: int | None


def would_help(facts: Facts, words: StandingException | GrantView) -> bool:
    """Whether these words would let this very call be done and reported."""
    return _with(facts, words).mode is Mode.TELL and decide(_without(facts)).mode is Mode.ASK


def grants_offered(facts: Facts) -> tuple[GrantOffer, ...]:
    """The "always" buttons of a request: none where they could not help, the narrow one first."""
    narrow = narrow_scope(facts.tool, facts.arguments)
    offers = [GrantOffer("narrow", narrow)] if narrow else []
    offers.append(GrantOffer("wide", {}))
    return tuple(one for one in offers if would_help(facts, GrantView(TRIED, facts.tool.name, one.scope)))


def reach(exception: StandingException, facts: Facts, parameters: Sequence[str] = ()) -> Reach:
    """What the sentence will let through on the tool of `facts`, tried with a call that meets its conditions."""
    call = replace(facts, arguments=_a_call(exception, facts.tool, parameters))
    started = _with(replace(call, outside_read=False), exception)
    warned = _with(replace(call, outside_read=True), exception)
    given = {name for name, value in call.arguments.items() if not is_absent(value)}
    loose = given - {c.field for c in exception.conditions if c.comparison in FIXING} - facts.tool.bound
    return Reach(
        tool=facts.tool.name,
        as_it_starts=started.mode <= Mode.TELL,
        after_outside=warned.mode <= Mode.TELL,
        needed=started.exception is not None or warned.exception is not None,
        held_by=started.because if started.mode is Mode.NEVER else started.trail[-1].note.get("held_by"),
        open_targets=frozenset(loose & facts.tool.targets if not facts.tool.foreign else loose),
        free_text=frozenset(loose & facts.tool.leaves),
        uses_per_day=allowance(exception, overrides=overrode_outside(warned)),
    )


def allowance(exception: StandingException, *, overrides: bool) -> int | None:
    """How often a day the sentence may be used; one that holds after outside content always has a number."""
    if exception.uses_per_day is None:
        return USES_PER_DAY if overrides else None
    return exception.uses_per_day


def overrode_outside(decision: Decision) -> bool:
    """Whether an exception let this call through although the run had read something from outside."""
    doubted = any(step.rule == "outside_content" and step.least is Mode.ASK for step in decision.trail)
    return decision.exception is not None and doubted


def _with(facts: Facts, words: StandingException | GrantView) -> Decision:
    """The decision if only these words were there."""
    bare = _without(facts)
    if isinstance(words, GrantView):
        return decide(replace(bare, grants=(words,)))
    return decide(replace(bare, sheet=replace(bare.sheet, exceptions=(words,)), cited=words.text))


def _without(facts: Facts) -> Facts:
    return replace(facts, grants=(), cited=None)


def _a_call(exception: StandingException, tool: ToolView, parameters: Sequence[str]) -> dict[str, Json]:
    """A call as the exception means it, with everything it leaves open filled by the employee.

    Copies are left out where a condition about addresses covers them anyway.
    """
    covered = tool.targets if any(names_addresses(c) for c in exception.conditions) else frozenset()
    call: dict[str, Json] = {
        name: ANYTHING for name in {*parameters, *tool.targets, *tool.leaves, *tool.bound} - covered
    }
    call.update((condition.field, _example(condition)) for condition in exception.conditions)
    return call


def _example(condition: Condition) -> Json:
    """A value that meets the condition."""
    match condition.comparison:
        case Comparison.DOMAIN_IS:
            return f"{ANYTHING}@{condition.value}"
        case Comparison.IS_ONE_OF if isinstance(condition.value, Sequence) and condition.value:
            return condition.value[0]
        case _:
            return condition.value
