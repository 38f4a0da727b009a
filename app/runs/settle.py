"""What happened to a call that nobody knows about? A person says so; "do it" is a new decision with a new key."""

from datetime import timedelta
from enum import StrEnum
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.answer import NotYoursToDecide, wake
from app.approvals.models import Approval, ApprovalStatus
from app.approvals.still_valid import require_valid
from app.audit.events import Event
from app.audit.journal import record
from app.ceilings.reserve import give_back
from app.content import seal
from app.errors import NotFound, PlacetError
from app.identity.decides import name_of
from app.identity.roles import Member
from app.ids import new_id
from app.operations import first_time
from app.runs.claim import LEASE
from app.runs.models import Run, ToolCall
from app.runs.states import CallStatus
from app.tool_servers.tools import tool_named


class Settlement(StrEnum):
    """What a person found out."""

    HAPPENED = "happened"
    DID_NOT_HAPPEN = "did_not_happen"
    DO_IT = "do_it"  # it did not happen, and should


class AlreadySettled(PlacetError):
    """Somebody has already said what happened."""

    status = 409


class TaskWentOn(PlacetError):
    """The employee has gone on without it. Give it a new task if this should still be done."""

    status = 409


class StillUnderWay(PlacetError):
    """The first try may still be under way. Please look again in %(minutes)s min."""

    status = 409


async def settle(session: AsyncSession, call_id: UUID, how: Settlement, *, by: Member, operation: UUID) -> None:
    """Settle an uncertain call.

    Raises NotFound, NotYoursToDecide, AlreadySettled, TaskWentOn, StillUnderWay, NoLongerValid.
    """
    call = await session.get(ToolCall, (by.tenant_id, call_id))
    if call is None:
        raise NotFound
    run = await session.get_one(Run, (by.tenant_id, call.run_id), with_for_update=True)  # first, as workers do
    await session.refresh(call, with_for_update=True)
    if not by.decides_for(run.agent_id):
        raise NotYoursToDecide
    if not await first_time(session, operation, "call.settle", by=by.user_id):
        return
    if call.status is not CallStatus.UNCERTAIN or call.settled_by is not None:
        raise AlreadySettled
    waiting = call.result_id is None
    if how is Settlement.DO_IT:
        if not waiting:
            raise TaskWentOn
        await _require_over(session, call)
        await _do_it(session, call, run, by=by)
    else:
        await _say(session, call, how, waiting=waiting, by=by)
        call.settled_by = by.user_id
    await session.flush()
    await wake(session, by.tenant_id, run.id)
    facts: dict[str, str | int | bool | None] = {"tool": call.tool, "how": how.value}
    await record(session, Event.CALL_SETTLED, by=by.user_id, about=call.id, agent_id=run.agent_id, facts=facts)


async def _require_over(session: AsyncSession, call: ToolCall) -> None:
    """Raises StillUnderWay while a worker that lost the run could wake up and finish its try (RELIABILITY B4)."""
    if call.intent_token is None:
        return  # the worker itself saw its try end
    tool = await tool_named(session, call.tool)
    longest = timedelta(seconds=tool.seconds if tool else 0) + LEASE
    now = await session.scalar(select(func.clock_timestamp()))
    if call.intent_at is not None and now is not None and now < call.intent_at + longest:
        raise StillUnderWay(minutes=str(-(-int((call.intent_at + longest - now).total_seconds()) // 60)))


async def _say(session: AsyncSession, call: ToolCall, how: Settlement, *, waiting: bool, by: Member) -> None:
    name = await name_of(session, by.user_id)
    happened = how is Settlement.HAPPENED
    if waiting:
        text = f"{name} found out that this {'did happen' if happened else 'did not happen'}."
        call.result_id = await seal.keep(session, {"text": text, "value": None, "provenance": "house"})
    call.status = CallStatus.DONE if happened else CallStatus.FAILED
    if not happened:
        await give_back(session, call.id)


async def _do_it(session: AsyncSession, call: ToolCall, run: Run, *, by: Member) -> None:
    """A decision of its own: a new approved row for the same arguments, a new key, and the policy looks again."""
    stored = cast(dict[str, JsonValue], await seal.read(session, call.arguments_id))
    canonical = cast(dict[str, JsonValue], stored["canonical"])
    approval = Approval(
        tenant_id=by.tenant_id,
        id=new_id(),
        agent_id=run.agent_id,
        run_id=run.id,
        call_id=call.id,
        sheet_id=call.sheet_id,
        status=ApprovalStatus.APPROVED,
        arguments_id=await seal.keep(session, {"canonical": canonical}),
        arguments_mark=call.arguments_mark,
        remind_at=func.clock_timestamp(),
        reminded_at=func.clock_timestamp(),
        expires_at=func.clock_timestamp() + timedelta(hours=24),
        decided_by=by.user_id,
        decided_at=func.clock_timestamp(),
    )
    await require_valid(session, approval, call, canonical)
    session.add(approval)
    call.status, call.idempotency_key, call.intent_token = CallStatus.ASKING, None, None
    call.intent_at = call.answer_by = call.outcome_at = None
