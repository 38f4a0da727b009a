"""May this person decide for that employee, as things stand now? Asked again when an approved call is about to run."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.transaction import tenant_of
from app.identity.models import AgentManager, Membership, Role, User


async def may_decide(session: AsyncSession, user_id: UUID, agent_id: UUID) -> bool:
    """Still a member, and an admin or a manager of this employee."""
    tenant_id = tenant_of(session)
    role = await session.scalar(
        select(Membership.role).where(
            Membership.tenant_id == tenant_id, Membership.user_id == user_id, Membership.ended_at.is_(None)
        )
    )
    if role is Role.ADMIN:
        return True
    manages = select(AgentManager.id).where(
        AgentManager.tenant_id == tenant_id, AgentManager.agent_id == agent_id, AgentManager.user_id == user_id
    )
    return role is Role.MANAGER and await session.scalar(manages) is not None


async def deciders(session: AsyncSession, agent_id: UUID) -> list[UUID]:
    """Who decides for this employee: its managers, or the admins if it has none."""
    tenant_id = tenant_of(session)
    members = select(Membership.user_id).where(Membership.tenant_id == tenant_id, Membership.ended_at.is_(None))
    managers = members.join(
        AgentManager, (AgentManager.tenant_id == Membership.tenant_id) & (AgentManager.user_id == Membership.user_id)
    ).where(AgentManager.agent_id == agent_id, Membership.role == Role.MANAGER)
    found = list(await session.scalars(managers))
    return found or list(await session.scalars(members.where(Membership.role == Role.ADMIN)))


async def name_of(session: AsyncSession, user_id: UUID) -> str:
    """A person's name; "a colleague" where the person was erased."""
    return await session.scalar(select(User.name).where(User.id == user_id)) or "a colleague"
