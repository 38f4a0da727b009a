"""How does a person end a task? What is under way finishes and is told; nothing new starts (fault H3)."""

from uuid import UUID

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.errors import NotAllowed, NotFound
from app.identity.roles import Member
from app.runs.models import Run
from app.runs.states import ENDED, RunStatus


async def cancel(session: AsyncSession, run_id: UUID, *, by: Member) -> None:
    """Have the run ended at its next step. Ended already is fine. Raises NotFound, NotAllowed."""
    run = await session.get(Run, (by.tenant_id, run_id), with_for_update=True)
    if run is None:
        raise NotFound
    if not (by.decides_for(run.agent_id) or run.started_by == by.user_id):
        raise NotAllowed
    if run.status in ENDED or run.cancelled_by is not None:
        return
    run.cancelled_by = by.user_id
    await session.flush()
    await session.execute(
        update(Run)
        .where(Run.tenant_id == by.tenant_id, Run.id == run_id, Run.status == RunStatus.WAITING)
        .values(status=RunStatus.QUEUED, waiting_for=None, due_at=func.clock_timestamp())
    )
    await record(session, Event.TASK_CANCELLED, by=by.user_id, about=run_id, agent_id=run.agent_id)
