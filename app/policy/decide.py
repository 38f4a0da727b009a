"""May this call go ahead? The only place in Placet that answers, and it does no I/O.

A manager can read it from top to bottom: the mode is set, then each rule puts a floor under it, then a person's
own words may soften it. The order is `RULES`. Rule names are data: they are stored, translated and shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal

from app.policy.decision import CeilingFact, Decision, Facts, Kind, Mode, Step
from app.policy.exceptions import (
    cited,
    exception_overrides_outside,
    grant_overrides_outside,
    shortcoming,
    within,
)

DEFAULT = {
    Kind.READ: Mode.DO,
    Kind.ORGANIZE: Mode.TELL,
    Kind.DRAFT: Mode.TELL,
    Kind.ACT: Mode.ASK,
    Kind.DELETE: Mode.ASK,
}
TRIAL = {Kind.ACT: Mode.ASK, Kind.DELETE: Mode.NEVER}
AFTER_OUTSIDE = {Kind.ORGANIZE: Mode.TELL, Kind.DRAFT: Mode.TELL, Kind.ACT: Mode.ASK, Kind.DELETE: Mode.ASK}
MANY_THINGS = 10  # one call that acts on more of them asks
FINAL = frozenset({"limits", "ceiling", "unreviewed", "trial", "refused_before"})  # no words soften these


def decide(facts: Facts) -> Decision:
    """Set the mode, put every floor that applies under it, then let a person's own words soften it."""
    decision = first(facts)
    for rule in RULES:
        decision = rule(decision, facts)
    return decision


def listed(facts: Facts) -> bool:
    """Whether the model sees this tool at all (promise 1). Arguments and totals do not matter for that."""
    bare = replace(facts, ceilings=(), things=1, refused=None, grants=(), arguments={}, cited=None)
    return decide(bare).mode is not Mode.NEVER


def first(facts: Facts) -> Decision:
    """What the job sheet says of the tool, or of its kind, or else what is usual for the kind."""
    kind, usual = facts.tool.kind, DEFAULT[facts.tool.kind]
    by_tool = facts.sheet.tools.get(facts.tool.name)
    wanted = facts.sheet.kinds.get(kind) if by_tool is None else by_tool
    if wanted is None:
        return default(usual)
    return job_sheet(usual, wanted, kind, by="kind" if by_tool is None else "tool")


def default(usual: Mode) -> Decision:
    """Reading is done, filing and drafting are reported, acting and deleting ask."""
    return Decision(usual, (Step("default", usual, usual),))


def job_sheet(usual: Mode, wanted: Mode, kind: Kind, *, by: str) -> Decision:
    """The job sheet sets the mode, by tool before by kind; deleting is never looser than asking."""
    mode = max(wanted, Mode.ASK) if kind is Kind.DELETE else wanted
    note = {"by": by} if mode is wanted else {"by": by, "wanted": wanted.value}
    return Decision(mode, (Step("job_sheet", usual, mode, note),))


def limits(decision: Decision, facts: Facts) -> Decision:
    """What the template or the company forbids, no job sheet allows."""
    floors = [
        floor
        for limit in facts.limits
        for floor in (
            Mode.NEVER if facts.tool.kind in limit.never_kinds else None,
            limit.floors.get(facts.tool.kind),
            limit.tools.get(facts.tool.name),
        )
        if floor is not None
    ]
    return decision.at_least(max(floors), because="limits") if floors else decision


def ceiling(decision: Decision, facts: Facts) -> Decision:
    """A total that would be passed asks, or refuses this call where it is hard; so does acting on many things."""
    for total in facts.ceilings:
        if not _fits(total):
            decision = decision.at_least(Mode.ASK, because="ceiling", note=_passed(total))
            if not total.soft:
                decision = replace(decision, refusal="ceiling")
    if facts.things > MANY_THINGS and facts.tool.kind is not Kind.READ:
        decision = decision.at_least(Mode.ASK, because="ceiling", note={"things": str(facts.things)})
    return decision


def unreviewed(decision: Decision, facts: Facts) -> Decision:
    """Until an admin has looked at a server's tools they ask; one that changed since is not there."""
    if facts.tool.changed:
        return decision.at_least(Mode.NEVER, because="unreviewed", note={"changed": "yes"})
    return decision if facts.tool.reviewed else decision.at_least(Mode.ASK, because="unreviewed")


def trial(decision: Decision, facts: Facts) -> Decision:
    """On trial an employee asks before it acts, and deletes nothing."""
    least = TRIAL.get(facts.tool.kind) if facts.on_trial else None
    return decision if least is None else decision.at_least(least, because="trial")


def channel(decision: Decision, facts: Facts) -> Decision:
    """In public chat a stranger reads what is open or theirs, and uses what the job sheet lists by name."""
    if not facts.public_channel or _open_to_visitor(facts):
        return decision
    return decision.at_least(Mode.NEVER, because="channel")


def outside_content(decision: Decision, facts: Facts) -> Decision:
    """After reading what a third party can write, acting asks, filing is reported, and a reach outside asks."""
    if not facts.sheet.outside_content_rule or not (facts.outside_read or facts.public_channel):
        return decision
    if facts.tool.kind is not Kind.READ:
        return decision.at_least(AFTER_OUTSIDE[facts.tool.kind], because="outside_content")
    if (facts.tool.reads_outside or facts.tool.foreign) and facts.house_read and not facts.address_listed:
        return decision.at_least(Mode.ASK, because="outside_content", note={"reach": "outside"})
    return decision


def refused_before(decision: Decision, facts: Facts) -> Decision:
    """What a person rejected is refused without a new request; its target asks, and so does what is uncertain."""
    match facts.refused:
        case None:
            return decision
        case "same_target" if facts.tool.kind is Kind.READ:
            return decision  # a read has no effect on the target
        case "same_target" | "uncertain":
            return decision.at_least(Mode.ASK, because="refused_before", note={"refused": facts.refused})
        case _:
            asked = decision.at_least(Mode.ASK, because="refused_before", note={"refused": "no"})
            return replace(asked, refusal=decision.refusal or "refused_before")


def own_words(decision: Decision, facts: Facts) -> Decision:
    """A person's own words, a quoted exception or "always here", let an asking call be done and reported."""
    if facts.cited and facts.cited.strip() and not cited(facts.cited, facts.sheet.exceptions):
        decision = _noted(decision, {"cited": "unknown"})
    if decision.mode is not Mode.ASK or decision.refusal or not _spoken_for(facts):
        return decision
    if (held := _held_by(decision, facts)) is not None:
        return _noted(decision, {"held_by": held})
    doubted = _doubted(decision)
    for grant in facts.grants:
        if within(grant, facts) and (not doubted or grant_overrides_outside(grant, facts)):
            return _softened(decision, {"grant": grant.id}, grant=grant.id)
    return _by_exception(decision, facts, doubted=doubted)


RULES: tuple[Callable[[Decision, Facts], Decision], ...] = (
    limits,
    ceiling,
    unreviewed,
    trial,
    channel,
    outside_content,
    refused_before,
    own_words,
)
RULE_NAMES = ("default", "job_sheet", *(rule.__name__ for rule in RULES))


def _spoken_for(facts: Facts) -> bool:
    """Whether a person said anything that could be about this call."""
    granted = any(grant.tool == facts.tool.name for grant in facts.grants)
    return granted or bool(cited(facts.cited, facts.sheet.exceptions))


def _by_exception(decision: Decision, facts: Facts, *, doubted: bool) -> Decision:
    """Soften by the cited sentence, or note why it does not help: the page shows that to the manager."""
    problem = ""
    for exception in cited(facts.cited, facts.sheet.exceptions):
        problem = shortcoming(exception, facts) or ""
        if not problem and doubted and not exception_overrides_outside(exception, facts):
            problem = "outside_content"
        if not problem:
            return _softened(decision, {"exception": exception.id}, exception=exception.id)
    return _noted(decision, {"cited": problem}) if problem else decision


def _held_by(decision: Decision, facts: Facts) -> str | None:
    """What no words can soften: a deletion, a final rule's floor, or a run in which a person said no."""
    if facts.tool.kind is Kind.DELETE:
        return "delete"
    if facts.person_refused:
        return "refused_before"
    for step in decision.trail:
        if step.rule in FINAL and step.least is not None and step.least >= Mode.ASK:
            return step.rule
    return None


def _doubted(decision: Decision) -> bool:
    """Whether what the run read from outside has a say in this call."""
    return any(step.rule == "outside_content" and step.least is Mode.ASK for step in decision.trail)


def _softened(
    decision: Decision, note: Mapping[str, str], *, exception: str | None = None, grant: str | None = None
) -> Decision:
    trail = (*decision.trail, Step("own_words", decision.mode, Mode.TELL, note))
    return Decision(Mode.TELL, trail, exception, grant)


def _noted(decision: Decision, note: Mapping[str, str]) -> Decision:
    return replace(decision, trail=(*decision.trail, Step("own_words", decision.mode, decision.mode, note)))


def _open_to_visitor(facts: Facts) -> bool:
    tool = facts.tool
    if tool.house_only:
        return False
    theirs = tool.bound_to_customer and facts.customer_verified
    return tool.name in facts.sheet.public_tools or (tool.kind is Kind.READ and (tool.open_to_strangers or theirs))


def _fits(total: CeilingFact) -> bool:
    """Whether a total stays within its ceiling; an amount below zero, or no number at all, never does."""
    numbers = (total.limit, total.used, total.this)
    return all(number.is_finite() for number in numbers) and total.this >= Decimal(0) and total.over <= Decimal(0)


def _passed(total: CeilingFact) -> Mapping[str, str]:
    over = str(total.over) if _is_plain(total) else ""
    which = {"id": total.id} if total.id else {}
    return {"ceiling": total.name, "over": over, "unit": total.unit, "hard": "no" if total.soft else "yes", **which}


def _is_plain(total: CeilingFact) -> bool:
    return all(number.is_finite() for number in (total.limit, total.used, total.this))
