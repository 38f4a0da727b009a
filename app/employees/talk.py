"""Who in the company may talk to an employee? Everybody, unless its job sheet names some; its deciders always."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.employees.models import Agent, JobSheet
from app.errors import NotAllowed
from app.identity.roles import Member


async def may_talk(session: AsyncSession, agent_id: UUID, *, by: Member) -> bool:
    """May this person give it tasks and write to it, by the job sheet in force?"""
    if by.decides_for(agent_id):
        return True
    talkers = await session.scalar(
        select(JobSheet.talkers)
        .join(Agent, (Agent.tenant_id == JobSheet.tenant_id) & (Agent.id == JobSheet.agent_id))
        .where(Agent.tenant_id == by.tenant_id, Agent.id == agent_id, JobSheet.version == Agent.sheet_version)
    )
    return talkers == [] or str(by.user_id) in (talkers or ["nobody"])


async def require_talk(session: AsyncSession, agent_id: UUID, *, by: Member) -> None:
    """Raises NotAllowed, naming the employee, where the job sheet does not name this person."""
    if not await may_talk(session, agent_id, by=by):
        raise NotAllowed(agent=str(agent_id))
