"""What waits for a person, and what was decided? The reads that pages need; who asks is checked here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Row, Select, func, or_, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval, ApprovalStatus
from app.approvals.still_valid import no_longer_because
from app.content import seal
from app.conversations.models import Conversation
from app.database.transaction import tenant_of
from app.employees.trial import over
from app.errors import NotAllowed, NotFound
from app.identity.models import Role
from app.identity.roles import Member, Permission
from app.policy.decision import Decision
from app.runs.models import Run, ToolCall
from app.runs.states import CallStatus


@dataclass(frozen=True)
class Asked:
    """A request with what it is about."""

    id: UUID
    agent_id: UUID
    run_id: UUID
    call_id: UUID
    conversation_id: UUID
    title: str  # of the conversation
    started_by: UUID | None
    tool: str
    decision: Decision
    outside: bool  # it had read something from outside
    status: ApprovalStatus
    call_status: CallStatus
    arguments: Mapping[str, JsonValue]  # what will run, or ran
    first: Mapping[str, JsonValue]  # what the employee asked for, where a person changed it
    about: Mapping[str, JsonValue]  # what the task is about, fixed by us
    why: str
    comment: str
    changed: bool
    asked_at: datetime
    expires_at: datetime
    decided_by: UUID | None
    decided_at: datetime | None
    outcome_at: datetime | None
    withdrawn_why: str | None
    result_text: str


async def get_asked(session: AsyncSession, approval_id: UUID, *, by: Member) -> Asked:
    """One request. Raises NotFound (also for another company's), NotAllowed for a colleague who may not read it."""
    rows = (await session.execute(_joined(session).where(Approval.id == approval_id))).all()
    if not rows:
        raise NotFound
    asked = (await _told(session, rows))[0]
    if not by.reads(asked.agent_id, asked.started_by):
        raise NotAllowed(agent=str(asked.agent_id))
    return asked


async def get_asked_to_decide(session: AsyncSession, approval_id: UUID, *, by: Member) -> Asked:
    """One request that this person decides. Raises NotFound, NotAllowed (naming the employee: a page says who)."""
    asked = await get_asked(session, approval_id, by=by)
    if not by.decides_for(asked.agent_id):
        raise NotAllowed(agent=str(asked.agent_id))
    return asked


async def asked_among(session: AsyncSession, ids: Sequence[UUID]) -> list[Asked]:
    """These requests, in this order; the caller has checked who reads them."""
    rows = (await session.execute(_joined(session).where(Approval.id.in_(ids)))).all()
    return sorted(await _told(session, rows), key=lambda one: ids.index(one.id))


async def why_no_longer(session: AsyncSession, asked: Asked) -> str | None:
    """What changed since a waiting request was made so that it cannot be approved; a name of WHY_NOT, or None."""
    key = tenant_of(session)
    approval, call = (
        await session.get_one(Approval, (key, asked.id)),
        await session.get_one(ToolCall, (key, asked.call_id)),
    )
    return await no_longer_because(session, approval, call, asked.arguments)


async def waiting_for(session: AsyncSession, *, by: Member, most: int, skip: int = 0) -> list[Asked]:
    """What this person may decide, the one that ends first on top."""
    if not by.may(Permission.DECIDE):
        return []
    wanted = _joined(session).where(Approval.status == ApprovalStatus.PENDING, _decided_by(by)).order_by(*_ORDER)
    return await _told(session, (await session.execute(wanted.limit(most).offset(skip))).all())


async def waiting_for_others(session: AsyncSession, *, by: Member, most: int) -> list[Asked]:
    """What others have to decide in tasks that this person gave."""
    wanted = _joined(session).where(Approval.status == ApprovalStatus.PENDING, Run.started_by == by.user_id)
    if by.may(Permission.DECIDE):
        wanted = wanted.where(~_decided_by(by))
    return await _told(session, (await session.execute(wanted.order_by(*_ORDER).limit(most))).all())


async def ids_waiting_for(session: AsyncSession, *, by: Member) -> list[UUID]:
    """The ids alone, in the same order: which request comes after this one."""
    if not by.may(Permission.DECIDE):
        return []
    wanted = select(Approval.id).where(
        Approval.tenant_id == tenant_of(session), Approval.status == ApprovalStatus.PENDING, _decided_by(by)
    )
    return list(await session.scalars(wanted.order_by(*_ORDER)))


async def count_waiting(session: AsyncSession, *, by: Member) -> int:
    """How much waits for this person: requests, effects of which nobody knows whether they happened, ended trials."""
    if not by.may(Permission.DECIDE):
        return 0
    tenant_id = tenant_of(session)
    requests = (
        select(func.count())
        .select_from(Approval)
        .where(Approval.tenant_id == tenant_id, Approval.status == ApprovalStatus.PENDING, _decided_by(by))
    )
    questions = (
        select(func.count())
        .select_from(ToolCall)
        .join(Run, (Run.tenant_id == ToolCall.tenant_id) & (Run.id == ToolCall.run_id))
        .where(ToolCall.tenant_id == tenant_id, ToolCall.status == CallStatus.UNCERTAIN)
        .where(true() if by.role is Role.ADMIN else Run.agent_id.in_(by.manages))
    )
    trials = select(func.count()).select_from(over(by).subquery())
    each = (one.scalar_subquery() for one in (requests, questions, trials))
    return sum((await session.execute(select(*each))).one())


async def waiting_by_employee(session: AsyncSession) -> dict[UUID, int]:
    """How many requests of each employee wait."""
    rows = await session.execute(
        select(Approval.agent_id, func.count())
        .where(Approval.tenant_id == tenant_of(session), Approval.status == ApprovalStatus.PENDING)
        .group_by(Approval.agent_id)
    )
    return {row[0]: row[1] for row in rows}


async def asked_in_conversation(session: AsyncSession, conversation_id: UUID) -> list[Asked]:
    """Every request of a conversation, the oldest first; the caller has checked who reads it."""
    wanted = _joined(session).where(Run.conversation_id == conversation_id).order_by(Approval.asked_at)
    return await _told(session, (await session.execute(wanted)).all())


async def asked_in_run(session: AsyncSession, run_id: UUID) -> list[Asked]:
    """Every request of a task, the oldest first; the caller has checked who reads it."""
    wanted = _joined(session).where(Run.id == run_id).order_by(Approval.asked_at)
    return await _told(session, (await session.execute(wanted)).all())


_ORDER = (Approval.expires_at, Approval.id)


def _joined(session: AsyncSession) -> Select[Approval, ToolCall, Run, Conversation]:
    return (
        select(Approval, ToolCall, Run, Conversation)
        .join(ToolCall, (ToolCall.tenant_id == Approval.tenant_id) & (ToolCall.id == Approval.call_id))
        .join(Run, (Run.tenant_id == Approval.tenant_id) & (Run.id == Approval.run_id))
        .join(Conversation, (Conversation.tenant_id == Run.tenant_id) & (Conversation.id == Run.conversation_id))
        .where(Approval.tenant_id == tenant_of(session))
    )


def _decided_by(by: Member) -> ColumnElement[bool]:
    """The requests that this person decides; `Member.decides_for`, in SQL."""
    return or_(true() if by.role is Role.ADMIN else Approval.agent_id.in_(by.manages))


async def _told(session: AsyncSession, rows: Sequence[Row[Approval, ToolCall, Run, Conversation]]) -> list[Asked]:
    """Open what is sealed, all at once."""
    wanted: list[UUID | None] = []
    for approval, call, run, conversation in rows:
        wanted += [approval.arguments_id, approval.comment_id, call.arguments_id, call.result_id]
        wanted += [conversation.title_id, run.bound_id]
    kept = await seal.read_many(session, wanted)
    return [_one(row, kept) for row in rows]


def _one(row: Row[Approval, ToolCall, Run, Conversation], kept: Mapping[UUID, JsonValue]) -> Asked:
    approval, call, run, conversation = row
    asked = _mapping(kept.get(call.arguments_id))
    decision = Decision.from_json({"mode": call.mode.value if call.mode else "ask", "trail": call.trail})
    return Asked(
        id=approval.id,
        agent_id=approval.agent_id,
        run_id=approval.run_id,
        call_id=approval.call_id,
        conversation_id=conversation.id,
        title=str(kept.get(conversation.title_id, "")),
        started_by=run.started_by,
        tool=call.tool,
        decision=decision,
        outside=run.outside_read or conversation.outside_at is not None,
        status=approval.status,
        call_status=call.status,
        arguments=_mapping(_mapping(kept.get(approval.arguments_id)).get("canonical")),
        first=_mapping(_mapping(kept.get(approval.arguments_id)).get("before")),
        about=_mapping(kept.get(run.bound_id)) if run.bound_id else {},
        why=str(asked.get("why", "")),
        comment=str(kept.get(approval.comment_id, "")) if approval.comment_id else "",
        changed=approval.changed,
        asked_at=approval.asked_at,
        expires_at=approval.expires_at,
        decided_by=approval.decided_by,
        decided_at=approval.decided_at,
        outcome_at=call.outcome_at,
        withdrawn_why=approval.withdrawn_why,
        result_text=str(_mapping(kept.get(call.result_id)).get("text", "")) if call.result_id else "",
    )


def _mapping(value: JsonValue | None) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}
