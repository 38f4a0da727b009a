"""Who is reminded of a request that waits? One mail, to the person behind the run or to the deciders."""

from uuid import UUID

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval, ApprovalStatus
from app.audit.events import Event
from app.audit.journal import record
from app.database.transaction import tenant_of
from app.employees.models import Agent
from app.identity.decides import deciders, may_decide
from app.notifications.outbox import put
from app.runs.models import Run, ToolCall
from app.settings import Settings


async def remind(session: AsyncSession, approval_id: UUID, settings: Settings) -> bool:
    """Prepare the one reminder of a request; False if it was made before, or nothing can be decided."""
    tenant_id = tenant_of(session)
    due = await session.scalar(
        update(Approval)
        .where(Approval.tenant_id == tenant_id, Approval.id == approval_id, Approval.reminded_at.is_(None))
        .where(Approval.status == ApprovalStatus.PENDING, Approval.remind_at <= func.clock_timestamp())
        .where(Approval.expires_at > func.clock_timestamp())
        .values(reminded_at=func.clock_timestamp())
        .returning(Approval)
        .execution_options(synchronize_session=False)
    )
    if due is None:
        return False
    run = await session.get_one(Run, (tenant_id, due.run_id))
    call = await session.get_one(ToolCall, (tenant_id, due.call_id))
    agent = await session.get_one(Agent, (tenant_id, due.agent_id))
    people = await deciders(session, agent.id)
    if run.started_by is not None and await may_decide(session, run.started_by, agent.id):
        people = [run.started_by]
    link = f"{settings.public_url.rstrip('/')}/requests/{approval_id}"
    for user_id in people:
        await put(
            session, "approval_reminder", user_id, about=approval_id, facts={"employee": agent.name, "link": link}
        )
    facts: dict[str, str | int | bool | None] = {"people": len(people), "tool": call.tool}
    await record(session, Event.APPROVAL_REMINDED, about=approval_id, agent_id=agent.id, facts=facts)
    return True
