"""What did employees do, and how far are they? The reads that pages need; who asks is checked here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Select, func, or_, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.conversations.models import Conversation
from app.database.transaction import tenant_of
from app.errors import NotAllowed, NotFound
from app.identity.models import Role
from app.identity.roles import Member
from app.policy.decision import Mode
from app.runs.models import Origin, Run, ToolCall, Turn
from app.runs.states import ENDED, CallStatus, End, RunStatus, WaitingFor


@dataclass(frozen=True)
class Task:
    """A run as people read of it: a task."""

    id: UUID
    agent_id: UUID
    conversation_id: UUID
    title: str
    origin: Origin
    started_by: UUID | None
    status: RunStatus
    waiting_for: WaitingFor | None
    end: End | None
    reference: str | None
    outside: bool
    worked_ms: int
    made_at: datetime
    ended_at: datetime | None

    @property
    def going(self) -> bool:
        """Is it still open?"""
        return self.status not in ENDED


@dataclass(frozen=True)
class Deed:
    """A call that was carried out, or of which nobody knows."""

    id: UUID
    run_id: UUID
    agent_id: UUID
    tool: str
    mode: Mode
    arguments: Mapping[str, JsonValue]
    at: datetime
    waits: bool  # its task has not gone on without it


async def get_task(session: AsyncSession, run_id: UUID, *, by: Member) -> Task:
    """One task. Raises NotFound (also for another company's), NotAllowed for a colleague who may not read it."""
    found = await _tasks(session, _runs(session).where(Run.id == run_id))
    if not found:
        raise NotFound
    if not by.reads(found[0].agent_id, found[0].started_by):
        raise NotAllowed(agent=str(found[0].agent_id))
    return found[0]


async def tasks_of_conversation(session: AsyncSession, conversation_id: UUID) -> list[Task]:
    """The tasks of a conversation, the oldest first; the caller has checked who reads it."""
    return await _tasks(session, _runs(session).where(Run.conversation_id == conversation_id).order_by(Run.made_at))


async def last_tasks(session: AsyncSession, conversation_ids: Iterable[UUID]) -> dict[UUID, Task]:
    """The newest task of each conversation; the caller has checked who reads them."""
    wanted = _runs(session).where(Run.conversation_id.in_(set(conversation_ids))).order_by(Run.made_at)
    return {task.conversation_id: task for task in await _tasks(session, wanted)}


async def titles_of_tasks(session: AsyncSession, ids: Iterable[UUID]) -> dict[UUID, str]:
    """What each task is called; the caller has checked who reads them."""
    return {task.id: task.title for task in await _tasks(session, _runs(session).where(Run.id.in_(set(ids))))}


async def spent_since(session: AsyncSession, agent_id: UUID, since: datetime) -> Decimal:
    """What an employee's model calls have cost, in USD."""
    wanted = (
        select(func.sum(Turn.cost_usd))
        .join(Run, (Run.tenant_id == Turn.tenant_id) & (Run.id == Turn.run_id))
        .where(Turn.tenant_id == tenant_of(session), Run.agent_id == agent_id, Turn.made_at >= since)
    )
    return await session.scalar(wanted) or Decimal(0)


async def stopped_since(session: AsyncSession, since: datetime, *, by: Member, most: int) -> list[Task]:
    """What ended otherwise than done, among what this person may read."""
    wanted = _runs(session).where(Run.status.in_((RunStatus.STOPPED, RunStatus.FAILED)), Run.ended_at >= since)
    return await _tasks(session, wanted.where(_read_by(by)).order_by(Run.ended_at.desc()).limit(most))


async def open_by_employee(session: AsyncSession) -> dict[UUID, int]:
    """How many tasks each employee is at work on (waiting ones are counted where they wait)."""
    rows = await session.execute(
        select(Run.agent_id, func.count())
        .where(Run.tenant_id == tenant_of(session), Run.status.in_((RunStatus.QUEUED, RunStatus.RUNNING)))
        .group_by(Run.agent_id)
    )
    return {row[0]: row[1] for row in rows}


async def done_alone_since(session: AsyncSession, since: datetime, *, by: Member, most: int) -> list[Deed]:
    """What was done without asking, the newest first, among what this person may read."""
    wanted = (
        _calls(session)
        .where(ToolCall.status == CallStatus.DONE, ToolCall.mode.in_((Mode.DO, Mode.TELL)))
        .where(ToolCall.outcome_at >= since, _read_by(by))
    )
    return await _deeds(session, wanted.order_by(ToolCall.outcome_at.desc()).limit(most))


async def uncertain(session: AsyncSession, *, by: Member) -> list[Deed]:
    """Effects of which nobody knows whether they happened, among what this person may read."""
    wanted = _calls(session).where(ToolCall.status == CallStatus.UNCERTAIN, _read_by(by))
    return await _deeds(session, wanted.order_by(ToolCall.made_at))


async def get_deed(session: AsyncSession, call_id: UUID, *, by: Member) -> Deed:
    """One call of a task that this person decides about. Raises NotFound, NotAllowed."""
    found = await _deeds(session, _calls(session).where(ToolCall.id == call_id))
    if not found:
        raise NotFound
    if not by.decides_for(found[0].agent_id):
        raise NotAllowed(agent=str(found[0].agent_id))
    return found[0]


async def deeds_of_tool(session: AsyncSession, agent_id: UUID, tool: str, since: datetime) -> list[Deed]:
    """What an employee has done with one tool since then."""
    wanted = _calls(session).where(Run.agent_id == agent_id, ToolCall.tool == tool, ToolCall.status == CallStatus.DONE)
    return await _deeds(session, wanted.where(ToolCall.outcome_at >= since).order_by(ToolCall.outcome_at))


def _read_by(by: Member) -> ColumnElement[bool]:
    """`Member.reads`, in SQL."""
    return true() if by.role is Role.ADMIN else or_(_decided_by(by), Run.started_by == by.user_id)


def _decided_by(by: Member) -> ColumnElement[bool]:
    return Run.agent_id.in_(by.manages if by.role is Role.MANAGER else ())


def _runs(session: AsyncSession) -> Select[Run, Conversation]:
    return (
        select(Run, Conversation)
        .join(Conversation, (Conversation.tenant_id == Run.tenant_id) & (Conversation.id == Run.conversation_id))
        .where(Run.tenant_id == tenant_of(session))
    )


def _calls(session: AsyncSession) -> Select[ToolCall, Run]:
    return (
        select(ToolCall, Run)
        .join(Run, (Run.tenant_id == ToolCall.tenant_id) & (Run.id == ToolCall.run_id))
        .where(ToolCall.tenant_id == tenant_of(session))
    )


async def _tasks(session: AsyncSession, wanted: Select[Run, Conversation]) -> list[Task]:
    rows = (await session.execute(wanted)).all()
    titles = await seal.read_many(session, [conversation.title_id for _, conversation in rows])
    return [
        Task(
            id=run.id,
            agent_id=run.agent_id,
            conversation_id=run.conversation_id,
            title=str(titles.get(conversation.title_id, "")),
            origin=run.origin,
            started_by=run.started_by,
            status=run.status,
            waiting_for=run.waiting_for,
            end=run.end,
            reference=run.error_reference,
            outside=run.outside_read or conversation.outside_at is not None,
            worked_ms=run.worked_ms,
            made_at=run.made_at,
            ended_at=run.ended_at,
        )
        for run, conversation in rows
    ]


async def _deeds(session: AsyncSession, wanted: Select[ToolCall, Run]) -> list[Deed]:
    rows = (await session.execute(wanted)).all()
    kept = await seal.read_many(session, [call.arguments_id for call, _ in rows])
    return [
        Deed(
            id=call.id,
            run_id=run.id,
            agent_id=run.agent_id,
            tool=call.tool,
            mode=call.mode or Mode.ASK,
            arguments=canonical_of(kept.get(call.arguments_id)),
            at=call.outcome_at or call.intent_at or call.made_at,
            waits=call.result_id is None,
        )
        for call, run in rows
    ]


def canonical_of(kept: JsonValue | None) -> Mapping[str, Any]:
    """The arguments that run, out of what was kept of a call."""
    inside = kept.get("canonical") if isinstance(kept, dict) else None
    return cast(Mapping[str, Any], inside) if isinstance(inside, dict) else {}
