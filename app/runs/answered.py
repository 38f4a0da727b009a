"""What becomes of the model's answer? It counts only when whole; then its calls are decided in one transaction."""

import logging
import random
import time
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.budget.prices import Tokens, cost
from app.budget.reserve import give_back, settle
from app.content import seal
from app.database.transaction import tenant_of
from app.ids import new_id
from app.model.client import NOT_SERVED, PASSING, Answer, ModelTrouble, Request, Trouble
from app.model.stops import Then, calls_in, text_in, then
from app.runs.breakpoints import reach
from app.runs.call import take
from app.runs.claim import Lease
from app.runs.finish import end, wait
from app.runs.house import House
from app.runs.limits import Limits
from app.runs.models import Run, ToolCall, Turn
from app.runs.situation import Situation, look
from app.runs.states import End, RunStatus, WaitingFor

log = logging.getLogger(__name__)
LONGEST_PAUSE = 600.0  # seconds between two tries while the model is in trouble
ENDS = {
    Trouble.WRONG_KEY: End.WRONG_KEY,
    Trouble.INVALID: End.REQUEST_INVALID,
    Trouble.TOO_LONG: End.CONTEXT_FULL,
}


@dataclass(frozen=True)
class Asked:
    """A request with its money set aside."""

    request: Request
    usage_id: UUID
    number: int
    rules_mark: str
    conclude: End | None  # the end that follows, if this asks for a last word
    limits: Limits


async def ask_model(lease: Lease, house: House, asked: Asked) -> bool:
    """Ask once; keep the answer, or put the run back with a growing delay. True if the run goes on at once."""
    began = time.monotonic()
    try:
        answer = await house.model.ask(asked.request)
    except ModelTrouble as trouble:
        await _in_trouble(lease, asked, trouble)
        return False
    await reach("after_answer")
    milliseconds = int((time.monotonic() - began) * 1000)
    async with lease.step() as (session, run):
        situation = await look(session, run)
        run.model_troubles = 0
        run.worked_ms += milliseconds
        what = then(answer.stop_reason, answer.blocks, seen=await _ids_seen(session, run))
        if asked.conclude is not None and what in (Then.CALLS, Then.AS_IT_IS):
            what = Then.UNREADABLE  # tool_choice was none, and a pause would go on for ever
        turn = await _keep_turn(
            session,
            house,
            asked,
            answer,
            milliseconds,
            run_id=run.id,
            counted=what in (Then.CALLS, Then.DONE, Then.AS_IT_IS),
        )
        situation.turns += [turn] if turn.counted else []
        await _follow(session, house, situation, asked, answer, turn, what)
        goes_on = run.status is RunStatus.RUNNING
    await reach("after_turn")
    return goes_on


async def _ids_seen(session: AsyncSession, run: Run) -> set[str]:
    """The ids of all calls of the conversation: an answer that brings one of them again cannot be sent back."""
    of_conversation = (
        select(ToolCall.tool_use_id)
        .join(Run, (Run.tenant_id == ToolCall.tenant_id) & (Run.id == ToolCall.run_id))
        .where(ToolCall.tenant_id == run.tenant_id, Run.conversation_id == run.conversation_id)
    )
    return set(await session.scalars(of_conversation))


async def _follow(
    session: AsyncSession, house: House, situation: Situation, asked: Asked, answer: Answer, turn: Turn, what: Then
) -> None:
    text = text_in(answer.blocks)
    match what:
        case Then.CALLS:
            blocks = calls_in(answer.blocks)
            await take(session, situation, turn, blocks, limits=asked.limits, settings=house.settings)
        case Then.DONE:
            await end(session, situation, asked.conclude or End.ANSWERED, text)
        case Then.AS_IT_IS:
            return
        case Then.RAISE_CAP:
            if situation.run.max_tokens_raised:
                await end(session, situation, End.TRUNCATED)
            situation.run.max_tokens_raised += 1
        case Then.REFUSED:
            await end(session, situation, End.MODEL_REFUSED)
        case Then.FULL:
            await end(session, situation, End.CONTEXT_FULL)
        case _:  # unreadable: once more, then the run fails by name
            if situation.dropped >= 1:
                await end(session, situation, End.MODEL_UNREADABLE)


async def _keep_turn(
    session: AsyncSession, house: House, asked: Asked, answer: Answer, milliseconds: int, *, run_id: UUID, counted: bool
) -> Turn:
    used = answer.used or Tokens(0, 0)
    paid: Decimal = await settle(session, asked.usage_id, cost(house.price, used) if answer.used else None)
    blocks: list[JsonValue] = answer.blocks
    turn = Turn(
        tenant_id=tenant_of(session),
        id=new_id(),
        run_id=run_id,
        number=asked.number,
        counted=counted,
        stop_reason=answer.stop_reason,
        model=answer.model,
        input_tokens=used.input,
        output_tokens=used.output,
        cache_read_tokens=used.cache_read,
        cache_write_tokens=used.cache_write,
        usage_known=answer.used is not None,
        cost_usd=paid,
        duration_ms=milliseconds,
        rules_mark=await seal.mark(session, asked.rules_mark),
        content_id=await seal.keep(session, {"blocks": blocks}),
    )
    session.add(turn)
    await session.flush()  # calls refer to it
    return turn


async def _in_trouble(lease: Lease, asked: Asked, trouble: ModelTrouble) -> None:
    """Provider trouble: the run looks again later, 24 hours at most; what cannot mend itself ends it."""
    log.warning("model_trouble", extra={"run": str(lease.run_id), "kind": trouble.kind.value})
    async with lease.step() as (session, run):
        if trouble.kind in NOT_SERVED:
            await give_back(session, asked.usage_id)
        else:
            await settle(session, asked.usage_id, None)
        if trouble.kind not in PASSING:
            await end(session, await look(session, run), ENDS[trouble.kind])
            return
        run.model_troubles += 1
        pause = min(LONGEST_PAUSE, 2.0**run.model_troubles) * random.uniform(0.7, 1.3)  # noqa: S311  (spreads load, guards nothing)
        if trouble.retry_after is not None:
            pause = max(pause, min(trouble.retry_after, LONGEST_PAUSE))
        if run.model_troubles * LONGEST_PAUSE > asked.limits.model_trouble.total_seconds() + 10 * LONGEST_PAUSE:
            await end(session, await look(session, run), End.MODEL_UNREACHABLE)
            return
        await wait(session, run, WaitingFor.MODEL, seconds=pause)
