"""Which employees does the company have, and what does a job sheet say? The reads that pages need."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.database.transaction import tenant_of
from app.employees.company_limits import limits_of, read_floors
from app.employees.models import Agent, AgentStatus, JobSheet, MailAddress
from app.employees.sheet import mode_sheet
from app.employees.templates import TEMPLATES
from app.errors import NotAllowed, NotFound
from app.identity.models import Tenant
from app.identity.roles import Member
from app.policy.decision import Limits, ModeSheet
from app.policy.explain import Row, Situation, explain
from app.tool_servers.tools import foreign_tools
from app.tools.catalogue import BUILT_IN, TOOLS
from app.tools.tool import Tool


@dataclass(frozen=True)
class Employee:
    """An employee as pages name it."""

    id: UUID
    template: str
    name: str
    status: AgentStatus
    on_trial: bool
    sheet_version: int
    trial_ends_at: datetime | None  # None: until somebody says so

    @property
    def paused(self) -> bool:
        """Does it take no step until somebody lets it go on?"""
        return self.status is AgentStatus.PAUSED

    def title(self, language: str) -> str:
        """What it is, in the reader's language: "customer service"."""
        template = TEMPLATES.get(self.template)
        return template.title[language] if template else ""


@dataclass(frozen=True)
class Sheet:
    """One version of a job sheet, in full."""

    version: int
    made_at: datetime
    made_by: UUID | None
    words: Mapping[str, Any]
    modes: ModeSheet
    tools: tuple[Tool, ...]
    hard: tuple[Limits, ...]  # what no sheet of this employee allows


_COLUMNS = (
    Agent.id,
    Agent.template,
    Agent.name,
    Agent.status,
    Agent.on_trial,
    Agent.sheet_version,
    Agent.trial_ends_at,
)


async def employees(session: AsyncSession) -> dict[UUID, Employee]:
    """Everybody who was ever hired, by name; pages name the dismissed ones too."""
    rows = await session.execute(select(*_COLUMNS).where(Agent.tenant_id == tenant_of(session)).order_by(Agent.name))
    return {row.id: Employee(*row) for row in rows}


async def get_employee(session: AsyncSession, agent_id: UUID) -> Employee:
    """One employee. Raises NotFound, also for another company's."""
    row = await session.execute(select(*_COLUMNS).where(Agent.tenant_id == tenant_of(session), Agent.id == agent_id))
    if (found := row.one_or_none()) is None:
        raise NotFound
    return Employee(*found)


async def id_of(session: AsyncSession, name: str) -> UUID | None:
    """Who works here under this name, however it is written? At most one does: people could not tell two apart."""
    here = select(Agent.id).where(Agent.tenant_id == tenant_of(session), Agent.status != AgentStatus.DISMISSED)
    return await session.scalar(here.where(func.lower(Agent.name) == name.strip().lower()).limit(1))


async def addresses_of(session: AsyncSession, agent_id: UUID) -> tuple[str, ...]:
    """Where mail reaches this employee."""
    wanted = select(MailAddress.address).where(MailAddress.tenant_id == tenant_of(session))
    return tuple(await session.scalars(wanted.where(MailAddress.agent_id == agent_id).order_by(MailAddress.address)))


async def get_decided_employee(session: AsyncSession, agent_id: UUID, *, by: Member) -> Employee:
    """One employee for whom this person decides. Raises NotAllowed naming the employee, so that a page says who can."""
    employee = await get_employee(session, agent_id)
    if not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    return employee


async def get_sheet(session: AsyncSession, employee: Employee, version: int | None = None) -> Sheet:
    """A version of the job sheet, the newest by default. Raises NotFound."""
    wanted = (
        select(JobSheet, Tenant.floors)
        .join(Tenant, Tenant.id == JobSheet.tenant_id)
        .where(JobSheet.tenant_id == tenant_of(session), JobSheet.agent_id == employee.id)
        .where(JobSheet.version == (version or employee.sheet_version))
    )
    found = (await session.execute(wanted)).one_or_none()
    if found is None:
        raise NotFound
    sheet, floors = found
    words = cast(Mapping[str, Any], (await seal.read_many(session, [sheet.words_id])).get(sheet.words_id) or {})
    names = [*sheet.listed_tools, *(name for name in BUILT_IN if name not in sheet.listed_tools)]
    there = {**TOOLS, **await foreign_tools(session, names)}
    tools = tuple(there[name] for name in names if name in there)
    hard = limits_of(employee.template, read_floors(floors))
    return Sheet(sheet.version, sheet.made_at, sheet.made_by, words, mode_sheet(sheet, words), tools, hard)


async def sheet_versions(session: AsyncSession, agent_id: UUID) -> list[tuple[int, datetime]]:
    """Every version with its date, the newest first."""
    rows = await session.execute(
        select(JobSheet.version, JobSheet.made_at)
        .where(JobSheet.tenant_id == tenant_of(session), JobSheet.agent_id == agent_id)
        .order_by(JobSheet.version.desc())
    )
    return [(row.version, row.made_at) for row in rows]


def matrix(employee: Employee, sheet: Sheet) -> tuple[Row, ...]:
    """What it may do, row by row, as `decide()` answers: as a task starts, and after reading something from outside."""
    situation = Situation(limits=sheet.hard, on_trial=employee.on_trial)
    return explain(sheet.modes, [tool.view() for tool in sheet.tools], situation)
