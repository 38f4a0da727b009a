"""How is an employee told to stop, and to go on? One tap; a paused one takes no step, and what waits keeps waiting."""

from uuid import UUID

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.employees.models import Agent, AgentStatus
from app.errors import NotAllowed
from app.identity.roles import Member, Permission
from app.runs.models import Run
from app.runs.states import RunStatus


async def pause(session: AsyncSession, agent_id: UUID, *, by: Member) -> None:
    """Pause it. Paused already is fine: nothing changes. Raises NotAllowed."""
    await _switch(session, agent_id, AgentStatus.ACTIVE, AgentStatus.PAUSED, Event.EMPLOYEE_PAUSED, by)


async def resume(session: AsyncSession, agent_id: UUID, *, by: Member) -> None:
    """Let it go on; its waiting tasks look again at once. Raises NotAllowed."""
    if await _switch(session, agent_id, AgentStatus.PAUSED, AgentStatus.ACTIVE, Event.EMPLOYEE_RESUMED, by):
        await session.execute(
            update(Run)
            .where(Run.tenant_id == by.tenant_id, Run.agent_id == agent_id, Run.status == RunStatus.WAITING)
            .values(status=RunStatus.QUEUED, waiting_for=None, due_at=func.clock_timestamp())
        )


async def _switch(
    session: AsyncSession, agent_id: UUID, before: AgentStatus, after: AgentStatus, event: Event, by: Member
) -> bool:
    by.require(Permission.PAUSE)
    if not by.decides_for(agent_id):
        raise NotAllowed
    changed = await session.scalar(
        update(Agent)
        .where(Agent.tenant_id == by.tenant_id, Agent.id == agent_id, Agent.status == before)
        .values(status=after)
        .returning(Agent.id)
    )
    if changed is not None:
        await record(session, event, by=by.user_id, about=agent_id, agent_id=agent_id)
    return changed is not None
