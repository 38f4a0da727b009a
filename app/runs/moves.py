"""What is the next move of a run? Read from the database in one transaction, never from memory (promise 13)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import ApprovalStatus
from app.budget.prices import bound
from app.budget.reserve import frees_up, reserve
from app.ceilings.reserve import take_turns
from app.content import seal
from app.employees.models import AgentStatus
from app.identity.decides import name_of
from app.policy.decision import Kind
from app.runs import told
from app.runs.answered import Asked
from app.runs.call import give_result, shown_tools
from app.runs.claim import Lease
from app.runs.finish import again, end, wait
from app.runs.house import House
from app.runs.limits import Limits, limits_for
from app.runs.models import ToolCall
from app.runs.outcome import recover
from app.runs.request import build, fingerprint
from app.runs.situation import Situation, look
from app.runs.states import CallStatus, End, WaitingFor

BUDGET_LOOKS_AGAIN = 3600.0  # seconds; a month is longer
BUDGET_FREES_UP = 15.0  # seconds; what others have set aside is settled when their answers come
OPEN_END = timedelta(days=30).total_seconds()


@dataclass(frozen=True)
class Bind:
    """Find out what the run is about."""


@dataclass(frozen=True)
class CarryOut:
    """These calls may go ahead."""

    reads: Sequence[UUID]
    effects: Sequence[UUID]
    limits: Limits


@dataclass(frozen=True)
class LetGo:
    """Nothing to do now: it waits, or it ended."""


Move = Bind | CarryOut | Asked | LetGo


async def next_move(lease: Lease, house: House) -> Move:
    """Look at the run and write what follows from what is so now."""
    async with lease.step() as (session, run):
        situation = await look(session, run)
        limits = limits_for(run.origin)
        if (reason := _over(situation, limits)) is not None:
            await end(session, situation, reason)
            return LetGo()
        if situation.agent.status is AgentStatus.PAUSED:
            # Held, so that a person who lets it go on in this very moment finds the run waiting and wakes it.
            await session.refresh(situation.agent, ["status"], with_for_update={"read": True})
        if situation.agent.status is AgentStatus.PAUSED:
            await wait(session, run, WaitingFor.PERSON, seconds=OPEN_END)
            return LetGo()
        if run.bound_id is None:
            return Bind()
        if situation.last is not None and (
            calls := [c for c in situation.of_turn(situation.last) if c.result_id is None]
        ):
            return await _with_calls(session, lease, situation, calls, limits)
        return await _ask(session, house, situation, limits)


def _over(situation: Situation, limits: Limits) -> End | None:
    """The end that a limit or a person has brought, if any."""
    run = situation.run
    used = sum(t.input_tokens + t.output_tokens + t.cache_read_tokens + t.cache_write_tokens for t in situation.turns)
    if run.cancelled_by is not None:
        return End.CANCELLED
    if situation.agent.status is AgentStatus.DISMISSED:
        return End.DISMISSED
    if situation.now - run.made_at > limits.age:
        return End.TOO_OLD
    if used > limits.tokens:
        return End.TOKEN_LIMIT
    if sum(turn.cost_usd for turn in situation.turns) > limits.usd:
        return End.MONEY_LIMIT
    if run.worked_ms > limits.worked.total_seconds() * 1000:
        return End.TIME_LIMIT
    return None


async def _with_calls(
    session: AsyncSession, lease: Lease, situation: Situation, calls: list[ToolCall], limits: Limits
) -> Move:
    """Calls of the last turn that lack their result: those that can go on go on, the others are waited for."""
    if situation.ceilings:
        await take_turns(session, situation.agent.id)  # below, a line in the journal may come before a count
    ready: list[ToolCall] = []
    for call in calls:
        if call.status is CallStatus.RUNNING and call.intent_token != lease.token:
            await recover(session, call, situation.tools.get(call.tool), agent_id=situation.agent.id, limits=limits)
        if (call.status is CallStatus.ASKING and await _answered(session, situation, call)) or call.status in (
            CallStatus.READY,
            CallStatus.RUNNING,
        ):
            ready.append(call)
        elif call.status is CallStatus.UNCERTAIN and (call.answer_by is None or call.answer_by <= situation.now):
            call.result_id = await seal.keep(session, {"text": told.UNCERTAIN, "value": None, "provenance": "house"})
    if ready:
        reads = [call.id for call in ready if call.kind is Kind.READ and call.status is not CallStatus.ASKING]
        return CarryOut(reads, [call.id for call in ready if call.id not in reads], limits)
    return await _wait_for_people(session, situation, [call for call in calls if call.result_id is None])


async def _answered(session: AsyncSession, situation: Situation, call: ToolCall) -> bool:
    """True if a person said yes. A no, or silence, becomes the call's result here."""
    approval = situation.approvals.get(call.id)
    if approval is None or approval.status is ApprovalStatus.PENDING:
        return False
    if approval.status is ApprovalStatus.APPROVED:
        return True
    text, by = told.EXPIRED, "silence"
    if approval.status is ApprovalStatus.REJECTED and approval.decided_by is not None:
        comment = cast(str, await seal.read(session, approval.comment_id)) if approval.comment_id else ""
        text, by = told.rejected(await name_of(session, approval.decided_by), comment), "person"
    await give_result(session, call, CallStatus.REFUSED, text, refused_by=by)
    return False


async def _wait_for_people(session: AsyncSession, situation: Situation, calls: list[ToolCall]) -> Move:
    run = situation.run
    if not calls:  # a no was the last answer: the model hears of it at once
        await again(session, run)
        return LetGo()
    asking = any(call.status is CallStatus.ASKING for call in calls)
    unsure = [call.answer_by for call in calls if call.status is CallStatus.UNCERTAIN and call.answer_by is not None]
    seconds = min([(moment - situation.now).total_seconds() for moment in unsure], default=OPEN_END)
    await wait(session, run, WaitingFor.PERSON if asking else WaitingFor.UNCERTAIN, seconds=max(1.0, seconds))
    return LetGo()


async def _ask(session: AsyncSession, house: House, situation: Situation, limits: Limits) -> Move:
    """Build the next request, and set its money aside in the same transaction."""
    conclude = _must_conclude(situation, limits)
    if any(tool.foreign for tool in shown_tools(situation)):  # their descriptions are a third party's words
        situation.run.outside_read = True
        situation.conversation.outside_at = situation.conversation.outside_at or situation.now
    request = await build(
        session,
        situation,
        model=house.settings.placet_model,
        limits=limits,
        conclude=conclude is not None,
    )
    if request.size() + request.max_tokens > house.price.context:
        await end(session, situation, End.CONTEXT_FULL)
        return LetGo()
    most = bound(house.price, request.size(), request.max_tokens)
    usage_id = await reserve(session, situation.run.id, request.model, most, limit=house.settings.ai_budget_usd)
    if usage_id is None:
        soon = await frees_up(session, most, limit=house.settings.ai_budget_usd)
        await wait(session, situation.run, WaitingFor.BUDGET, seconds=BUDGET_FREES_UP if soon else BUDGET_LOOKS_AGAIN)
        return LetGo()
    return Asked(request, usage_id, situation.last_number + 1, fingerprint(request), conclude, limits)


def _must_conclude(situation: Situation, limits: Limits) -> End | None:
    """The end that a last word is asked for, if the run has come to one."""
    if len(situation.turns) >= limits.steps:
        return End.STEP_LIMIT
    rounds = situation.turns[-limits.error_rounds :]
    if len(rounds) == limits.error_rounds and all(_all_failed(situation.of_turn(turn)) for turn in rounds):
        return End.ERRORS_IN_A_ROW
    return None


def _all_failed(calls: list[ToolCall]) -> bool:
    return bool(calls) and all(call.status is CallStatus.FAILED for call in calls)
