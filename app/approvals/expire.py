"""What happens when nobody answers? Silence is refusal (promise 3): the run goes on with it."""

from uuid import UUID

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.answer import hold_run, wake
from app.approvals.models import Approval, ApprovalStatus
from app.audit.events import Event
from app.audit.journal import record
from app.ceilings.reserve import give_back
from app.database.transaction import tenant_of
from app.runs.models import ToolCall


async def expire(session: AsyncSession, approval_id: UUID) -> bool:
    """Refuse one request whose time is over; False if it was decided, or is not due, by the database's clock."""
    tenant_id = tenant_of(session)
    approval = await session.get(Approval, (tenant_id, approval_id))
    if approval is None:
        return False
    await hold_run(session, approval.run_id)
    expired = (
        await session.execute(
            update(Approval)
            .where(Approval.tenant_id == tenant_id, Approval.id == approval_id)
            .where(Approval.status == ApprovalStatus.PENDING, Approval.expires_at <= func.clock_timestamp())
            .values(status=ApprovalStatus.EXPIRED)
            .returning(Approval.run_id, Approval.agent_id, Approval.call_id)
            .execution_options(synchronize_session=False)
        )
    ).first()
    if expired is None:
        return False
    call = await session.get_one(ToolCall, (tenant_id, expired.call_id))
    await give_back(session, call.id)
    await wake(session, tenant_id, expired.run_id)
    await record(
        session, Event.APPROVAL_EXPIRED, about=approval_id, agent_id=expired.agent_id, facts={"tool": call.tool}
    )
    return True
