"""Who is this person here, and who are their colleagues? The reads that pages need."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.transaction import tenant_of
from app.identity.models import AgentManager, Membership, Role, Tenant, User
from app.identity.roles import Member


@dataclass(frozen=True)
class Company:
    """What pages say about the company."""

    id: UUID
    name: str
    language: str
    time_zone: str


async def find_company(session: AsyncSession) -> Company:
    """The company that is bound."""
    row = await session.execute(
        select(Tenant.id, Tenant.name, Tenant.language, Tenant.time_zone).where(Tenant.id == tenant_of(session))
    )
    return Company(*row.one())


async def find_member(session: AsyncSession, user_id: UUID, *, browser_language: str) -> tuple[Member, Company] | None:
    """A person with their role, language and zone; None where they no longer belong to the bound company."""
    tenant_id = tenant_of(session)
    managed = select(AgentManager.agent_id).where(AgentManager.tenant_id == tenant_id, AgentManager.user_id == user_id)
    row = (
        await session.execute(
            select(User.name, User.language, User.time_zone, Membership.role)
            .join(Membership, Membership.user_id == User.id)
            .where(Membership.tenant_id == tenant_id, User.id == user_id, Membership.ended_at.is_(None))
        )
    ).one_or_none()
    if row is None:
        return None
    company = await find_company(session)
    manages = frozenset((await session.scalars(managed)).all())
    language, zone = row.language or browser_language, row.time_zone or company.time_zone
    return Member(tenant_id, user_id, row.name, row.role, manages, language, zone), company


async def names_of(session: AsyncSession, ids: Iterable[UUID | None]) -> dict[UUID, str]:
    """The names of people of the bound company; whoever was erased is missing."""
    wanted = {user_id for user_id in ids if user_id is not None}
    if not wanted:
        return {}
    rows = await session.execute(select(User.id, User.name).where(User.id.in_(wanted)))
    return {row.id: row.name for row in rows}


async def people(session: AsyncSession) -> list[tuple[UUID, str]]:
    """Everybody of the company, former members too, by name: for the journal's filter."""
    return await _by_name(session)


async def members(session: AsyncSession) -> list[tuple[UUID, str]]:
    """Everybody who belongs to the company now, by name."""
    return await _by_name(session, Membership.ended_at.is_(None))


async def who_can_manage(session: AsyncSession) -> list[tuple[UUID, str]]:
    """Who can be made the manager of an employee: managers and admins, by name."""
    return await _by_name(session, Membership.ended_at.is_(None), Membership.role.in_([Role.ADMIN, Role.MANAGER]))


async def _by_name(session: AsyncSession, *which: ColumnElement[bool]) -> list[tuple[UUID, str]]:
    found = (
        select(User.id, User.name)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.tenant_id == tenant_of(session), *which)
    )
    return [(row.id, row.name) for row in await session.execute(found.order_by(User.name))]


async def deciders(session: AsyncSession, agent_id: UUID | None) -> list[tuple[UUID, str]]:
    """Who may decide for an employee: its managers, and the admins; without an employee the admins."""
    tenant_id = tenant_of(session)
    managers = select(AgentManager.user_id).where(
        AgentManager.tenant_id == tenant_id, AgentManager.agent_id == agent_id
    )
    decides = or_(Membership.role == Role.ADMIN, (Membership.role == Role.MANAGER) & User.id.in_(managers))
    rows = await session.execute(
        select(User.id, User.name)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.tenant_id == tenant_id, Membership.ended_at.is_(None), decides)
        .order_by(Membership.role.desc(), User.name)
    )
    return [(row.id, row.name) for row in rows]


async def managers_of(session: AsyncSession, agent_id: UUID) -> list[tuple[UUID, str]]:
    """The managers whose employee this is."""
    rows = await session.execute(
        select(User.id, User.name)
        .join(AgentManager, AgentManager.user_id == User.id)
        .where(AgentManager.tenant_id == tenant_of(session), AgentManager.agent_id == agent_id)
        .order_by(User.name)
    )
    return [(row.id, row.name) for row in rows]
