"""How is a person asked? With a row that holds exactly what they will be shown and what will run (promise 2)."""

from datetime import timedelta
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval, ApprovalStatus
from app.audit.events import Event
from app.audit.journal import record
from app.content import seal
from app.database.transaction import tenant_of
from app.ids import new_id
from app.runs.models import ToolCall
from app.settings import Settings


async def open_requests(session: AsyncSession, agent_id: UUID, correspondent_mark: str | None) -> int:
    """How many requests of this employee about this correspondent wait for a person."""
    count = (
        select(func.count())
        .select_from(Approval)
        .where(
            Approval.tenant_id == tenant_of(session),
            Approval.agent_id == agent_id,
            Approval.status == ApprovalStatus.PENDING,
            Approval.correspondent_mark.is_not_distinct_from(correspondent_mark),
        )
    )
    return int(await session.scalar(count) or 0)


async def ask(
    session: AsyncSession,
    call: ToolCall,
    canonical: dict[str, JsonValue],
    *,
    agent_id: UUID,
    correspondent_mark: str | None,
    settings: Settings,
) -> Approval:
    """Ask whether `call` may go ahead with these canonical arguments. The caller owns the transaction."""
    now = await session.scalar(select(func.clock_timestamp()))
    assert now is not None  # the database's clock
    approval = Approval(
        tenant_id=tenant_of(session),
        id=new_id(),
        agent_id=agent_id,
        run_id=call.run_id,
        call_id=call.id,
        sheet_id=call.sheet_id,
        arguments_id=await seal.keep(session, {"canonical": canonical}),
        arguments_mark=call.arguments_mark,
        correspondent_mark=correspondent_mark,
        asked_at=now,
        remind_at=now + timedelta(minutes=settings.approval_reminder_minutes),
        expires_at=now + timedelta(hours=settings.approval_expiry_hours),
    )
    session.add(approval)
    await session.flush()  # the journal's line names it and comes last
    await record(
        session,
        Event.APPROVAL_ASKED,
        by_agent=agent_id,
        about=approval.id,
        agent_id=agent_id,
        facts={"tool": call.tool},
    )
    return approval
