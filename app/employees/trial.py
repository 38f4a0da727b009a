"""How does a trial end? When a person who decides says so, and never by itself: at its end date it is asked about."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Select, false, func, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.database.transaction import tenant_of
from app.employees.choices import tool_choices
from app.employees.models import Agent, AgentStatus
from app.employees.preview import rows_of, situation_of
from app.employees.versions import version_of
from app.errors import NotAllowed, NotFound, PlacetError
from app.identity.models import Role, Tenant
from app.identity.roles import Member, Permission
from app.policy.explain import Change, changes


class NotOnTrial(PlacetError):
    """Its trial has ended already."""

    status = 409


class EndsInThePast(PlacetError):
    """Choose a day from today on, or none."""

    status = 422


@dataclass(frozen=True)
class Trial:
    """How a trial stands. `over`: its end date has come, and it goes on until somebody says so."""

    agent_id: UUID
    name: str
    on_trial: bool
    hired_at: datetime
    ends_at: datetime | None  # None: until somebody says so
    over: bool
    if_ended: tuple[Change, ...]  # what gets looser on the day it ends


async def trial_of(session: AsyncSession, agent_id: UUID, *, by: Member) -> Trial:
    """How the trial stands, and what its end would change. Raises NotFound, NotAllowed."""
    agent = await _gate(session, agent_id, by)
    now = await session.scalar(select(func.clock_timestamp()))
    draft, choices = (await version_of(session, agent_id)).draft, await tool_choices(session, agent.template)
    situation = await situation_of(session, agent)
    on_trial, after = replace(situation, on_trial=True), replace(situation, on_trial=False)
    loosened = changes(rows_of(draft, choices, on_trial), rows_of(draft, choices, after)) if agent.on_trial else ()
    over = agent.on_trial and agent.trial_ends_at is not None and now is not None and agent.trial_ends_at <= now
    return Trial(agent.id, agent.name, agent.on_trial, agent.hired_at, agent.trial_ends_at, over, loosened)


async def trials_over(session: AsyncSession, *, by: Member) -> list[tuple[UUID, str, datetime]]:
    """The questions of the inbox: whose trial has come to its end (id, name, when), the oldest first."""
    wanted = over(by).order_by(Agent.trial_ends_at)
    return [(row.id, row.name, row.trial_ends_at) for row in await session.execute(wanted)]


def over(by: Member) -> Select[UUID, str, datetime | None]:
    """Those trials; where they are only counted, as a part of a larger question."""
    theirs = true() if by.role is Role.ADMIN else Agent.id.in_(by.manages)
    return (
        select(Agent.id, Agent.name, Agent.trial_ends_at)
        .where(Agent.tenant_id == by.tenant_id, Agent.on_trial, Agent.status != AgentStatus.DISMISSED)
        .where(Agent.trial_ends_at <= func.clock_timestamp())
        .where(theirs if by.may(Permission.CHANGE_JOB_SHEET) else false())
    )


async def end_trial(session: AsyncSession, agent_id: UUID, *, by: Member) -> None:
    """End it: from its next decision on the job sheet alone counts. Ended already is fine. Raises NotFound and
    NotAllowed."""
    await _gate(session, agent_id, by)
    ended = await session.scalar(
        update(Agent)
        .where(Agent.tenant_id == by.tenant_id, Agent.id == agent_id, Agent.on_trial)
        .values(on_trial=False)
        .returning(Agent.id)
        .execution_options(synchronize_session="fetch")
    )
    if ended is not None:
        await record(session, Event.TRIAL_ENDED, by=by.user_id, about=agent_id, agent_id=agent_id)


async def extend_trial(session: AsyncSession, agent_id: UUID, until: date | None, *, by: Member) -> None:
    """Set another last day (in the company's zone), or none: until somebody says so.

    Raises NotFound, NotAllowed, NotOnTrial, EndsInThePast.
    """
    await _gate(session, agent_id, by)
    ends_at = await end_of(session, until)
    changed = await session.scalar(
        update(Agent)
        .where(Agent.tenant_id == by.tenant_id, Agent.id == agent_id, Agent.on_trial)
        .values(trial_ends_at=ends_at, trial_noted_at=None)
        .returning(Agent.id)
        .execution_options(synchronize_session="fetch")
    )
    if changed is None:
        raise NotOnTrial
    facts: dict[str, str | int | bool | None] = {"until": until.isoformat() if until else None}
    await record(session, Event.TRIAL_EXTENDED, by=by.user_id, about=agent_id, agent_id=agent_id, facts=facts)


async def note_end(session: AsyncSession, agent_id: UUID) -> bool:
    """The sweep's part: write once that the end came. Nothing gets looser; False if it was noted, moved or ended."""
    noted = await session.scalar(
        update(Agent)
        .where(Agent.tenant_id == tenant_of(session), Agent.id == agent_id, Agent.on_trial)
        .where(Agent.trial_noted_at.is_(None), Agent.trial_ends_at <= func.clock_timestamp())
        .values(trial_noted_at=func.clock_timestamp())
        .returning(Agent.id)
        .execution_options(synchronize_session=False)
    )
    if noted is not None:
        await record(session, Event.TRIAL_OVER, about=agent_id, agent_id=agent_id)
    return noted is not None


async def end_of(session: AsyncSession, last_day: date | None) -> datetime | None:
    """The moment at which a day of the company is over. Raises EndsInThePast."""
    if last_day is None:
        return None
    zone, now = (
        await session.execute(select(Tenant.time_zone, func.clock_timestamp()).where(Tenant.id == tenant_of(session)))
    ).one()
    if last_day < now.astimezone(ZoneInfo(zone)).date():
        raise EndsInThePast
    return datetime.combine(last_day + timedelta(days=1), time(), ZoneInfo(zone))


async def _gate(session: AsyncSession, agent_id: UUID, by: Member) -> Agent:
    agent = await session.get(Agent, (by.tenant_id, agent_id))
    if agent is None:
        raise NotFound
    if not by.may(Permission.CHANGE_JOB_SHEET) or not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    return agent
