"""What came of a call, and what of one whose worker died? What nobody knows is `uncertain` (promise 5)."""

from dataclasses import dataclass
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.ceilings.reserve import give_back
from app.content import seal
from app.database.transaction import tenant_of
from app.policy.decision import Kind
from app.runs import told
from app.runs.breakpoints import reach
from app.runs.call import Arguments
from app.runs.limits import Limits
from app.runs.models import ToolCall
from app.runs.states import CallStatus
from app.tools.tool import Tool


@dataclass(frozen=True)
class Outcome:
    """How it went. `value` is what the tool gave back."""

    status: CallStatus
    text: str
    value: JsonValue = None
    is_error: bool = False
    reference: str | None = None
    outside: bool = False


async def write_outcome(
    session: AsyncSession, call: ToolCall, outcome: Outcome, *, agent_id: UUID, limits: Limits
) -> None:
    """Keep what came of a call, and tell the journal where it was more than reading."""
    if outcome.status is CallStatus.FAILED:  # certainly not done
        await give_back(session, call.id)
    call.status, call.is_error, call.error_reference = outcome.status, outcome.is_error, outcome.reference
    call.outcome_at, call.brings_outside = func.clock_timestamp(), outcome.outside
    if outcome.status is CallStatus.UNCERTAIN:
        call.answer_by = func.clock_timestamp() + limits.uncertain
    else:
        kept: Arguments = {
            "text": outcome.text,
            "value": outcome.value,
            "provenance": "outside" if outcome.outside else "house",
        }
        call.result_id = await seal.keep(session, kept)
        call.result_mark = await seal.mark(session, outcome.value)
    await session.flush()  # the journal's line comes last
    await session.refresh(call, ["outcome_at", "answer_by"])  # by the database's clock; whoever decides next reads them
    events = {
        CallStatus.DONE: Event.CALL_DONE,
        CallStatus.FAILED: Event.CALL_FAILED,
        CallStatus.UNCERTAIN: Event.CALL_UNCERTAIN,
    }
    if call.kind is not Kind.READ:
        facts: dict[str, str | int | bool | None] = {"tool": call.tool, "mode": call.mode.value if call.mode else None}
        await record(session, events[outcome.status], by_agent=agent_id, about=call.id, agent_id=agent_id, facts=facts)


async def recover(session: AsyncSession, call: ToolCall, tool: Tool | None, *, agent_id: UUID, limits: Limits) -> None:
    """A worker died after this call's intent. Ours to read, or with our key: again. Anything else: nobody knows."""
    await reach("before_recovered")
    seconds = await session.scalar(
        select(func.extract("epoch", func.clock_timestamp() - ToolCall.intent_at)).where(
            ToolCall.tenant_id == tenant_of(session), ToolCall.id == call.id
        )
    )
    within = (
        tool is not None
        and tool.remembers_key_for is not None
        and float(seconds or 0) < tool.remembers_key_for.total_seconds()
    )
    ours_to_read = tool is not None and tool.kind is Kind.READ and not tool.foreign
    if ours_to_read or within:
        return  # stays RUNNING: the loop takes it up again, with the same key
    await write_outcome(session, call, Outcome(CallStatus.UNCERTAIN, told.UNCERTAIN), agent_id=agent_id, limits=limits)
