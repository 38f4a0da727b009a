"""What do the rules say of this call now, with its ceilings and its exception's uses counted?"""

from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from app.ceilings.reserve import Counted, weigh
from app.ceilings.uses import use
from app.content import seal
from app.policy.decide import decide
from app.policy.decision import CeilingFact, Decision, Facts, Kind, Mode, ModeSheet
from app.policy.offers import allowance, overrode_outside
from app.runs.facts import facts_for, refused_before
from app.runs.models import ToolCall
from app.runs.situation import Situation
from app.tools.tool import ArgumentsInvalid, NothingBound, Tool

Arguments = dict[str, JsonValue]
TOOL_CHANGED = "tool_changed"  # not a rule: what was shown is not what would run


async def decided(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    tool: Tool,
    canonical: Arguments,
    *,
    cited: str,
    intending: bool = False,
) -> Decision:
    """The decision, with what it takes of ceilings set aside.

    `intending`: the intent is written next, so an exception that lets the call through is used up by it; where none is
    left today it is decided again without that exception. Whoever refuses the call gives back what it holds.
    """
    while True:
        decision = await _decide(session, situation, call, tool, canonical, cited=cited)
        if not intending or decision.exception is None or await _used(session, situation, decision):
            return decision
        situation.modes = _used_up(situation.modes, decision.exception)


async def _decide(
    session: AsyncSession, situation: Situation, call: ToolCall, tool: Tool, canonical: Arguments, *, cited: str
) -> Decision:
    return decide(await facts_now(session, situation, call, tool, canonical, cited=cited, hold=True))


async def facts_now(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    tool: Tool,
    canonical: Mapping[str, JsonValue],
    *,
    cited: str | None,
    hold: bool,
) -> Facts:
    """Everything that the decision about this very call rests on, as of now; `hold` sets its totals aside."""
    refused = refused_before(
        situation.calls,
        tool=tool.name,
        mark=call.arguments_mark,
        nearly=call.nearly_mark,
        target=call.target_mark,
        itself=call.id,
    )
    return facts_for(
        situation,
        tool,
        canonical,
        cited=cited,
        refused=refused if tool.kind is not Kind.READ else None,
        ceilings=await ceilings_of(session, situation, call, canonical, hold=hold),
        asked_at=next((turn.made_at for turn in situation.turns if turn.id == call.turn_id), None),
    )


def still_fits(tool: Tool, call: ToolCall, canonical: Mapping[str, JsonValue]) -> bool:
    """Whether the tool still takes what a person was shown, and is no riskier than it was then."""
    if call.kind is None or tool.kind > call.kind or not tool.bound.keys() <= canonical.keys():
        return False
    if tool.changed_at is not None and call.made_at < tool.changed_at:
        return False  # a service put another tool into the place of the one that was shown (fault T6)
    free = {name: value for name, value in canonical.items() if name not in tool.bound}
    try:
        return tool.check(free, {what: canonical[name] for name, what in tool.bound.items()}) == dict(canonical)
    except (ArgumentsInvalid, NothingBound):
        return False


async def forbidden_by(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    tool: Tool,
    canonical: Mapping[str, JsonValue],
    *,
    hold: bool,
) -> str | None:
    """The rule by which this may not happen even with a person's yes (or TOOL_CHANGED), or None.

    What was asked for earlier in the run is for that person to weigh, so `refused_before` has no say here.
    """
    if not still_fits(tool, call, canonical):
        return TOOL_CHANGED
    totals = await ceilings_of(session, situation, call, canonical, hold=hold)  # moves with it into a new month
    decision = decide(facts_for(situation, tool, canonical, cited=None, ceilings=totals))
    if decision.mode is not Mode.NEVER and decision.refusal is None:
        return None
    return decision.refusal or decision.because


async def ceilings_of(
    session: AsyncSession, situation: Situation, call: ToolCall, canonical: Mapping[str, JsonValue], *, hold: bool
) -> tuple[CeilingFact, ...]:
    """What the job sheet's ceilings come to with this call; `hold` sets it aside (app/ceilings/reserve.py)."""
    if hold and any(call.tool in one.tools for one in situation.ceilings):
        await session.flush()  # what is set aside refers to the call
    customer = situation.about.get("correspondent")
    counted = Counted(
        agent_id=situation.agent.id,
        call_id=call.id,
        tool=call.tool,
        arguments=canonical,
        target_mark=call.target_mark,
        correspondent_mark=await seal.mark(session, customer) if customer else None,
        today=situation.today,
    )
    return await weigh(session, situation.ceilings, counted, hold=hold)


async def _used(session: AsyncSession, situation: Situation, decision: Decision) -> bool:
    """Count one use of the exception that let the call through; False where none is left today."""
    exception = next(one for one in situation.modes.exceptions if one.id == decision.exception)
    most = allowance(exception, overrides=overrode_outside(decision))
    return most is None or await use(session, situation.agent.id, exception.id, situation.today, most=most)


def _used_up(modes: ModeSheet, exception_id: str) -> ModeSheet:
    left = (replace(one, uses_left=0) if one.id == exception_id else one for one in modes.exceptions)
    return replace(modes, exceptions=tuple(left))
