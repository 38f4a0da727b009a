"""How much of each ceiling is used now? What the job sheet's page shows beside it."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.ceilings.ceiling import Ceiling
from app.ceilings.models import CeilingCounter
from app.ceilings.reserve import shown
from app.database.transaction import tenant_of
from app.employees.models import Agent, JobSheet
from app.errors import NotAllowed
from app.identity.models import Tenant
from app.identity.roles import Member


@dataclass(frozen=True)
class Standing:
    """One ceiling in the period that is now. Where it is counted apart (per order, per customer): the fullest one."""

    ceiling: Ceiling
    span: str
    used: Decimal
    apart: int  # for how many orders, recipients or customers it is counted

    @property
    def left(self) -> Decimal:
        """What is left of the fullest."""
        return max(self.ceiling.limit - self.used, Decimal(0))


async def standings(session: AsyncSession, agent_id: UUID, *, by: Member) -> list[Standing]:
    """Each ceiling of the job sheet in force. Raises NotAllowed."""
    if not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    tenant_id = tenant_of(session)
    in_force = (
        select(JobSheet.ceilings, Tenant.time_zone, func.clock_timestamp().label("now"))
        .join(Agent, (Agent.tenant_id == JobSheet.tenant_id) & (Agent.id == JobSheet.agent_id))
        .join(Tenant, Tenant.id == JobSheet.tenant_id)
        .where(JobSheet.tenant_id == tenant_id, Agent.id == agent_id, JobSheet.version == Agent.sheet_version)
    )
    row = (await session.execute(in_force)).first()
    if row is None:
        return []
    today = row.now.astimezone(ZoneInfo(row.time_zone)).date()
    found = []
    for ceiling in (Ceiling.from_json(kept) for kept in row.ceilings):
        counted = await session.execute(
            select(func.max(CeilingCounter.used), func.count())
            .where(CeilingCounter.tenant_id == tenant_id, CeilingCounter.agent_id == agent_id)
            .where(CeilingCounter.ceiling_id == ceiling.id, CeilingCounter.span == ceiling.span(today))
        )
        most, apart = counted.one()
        found.append(Standing(ceiling, ceiling.span(today), shown(most or Decimal(0)), apart))
    return found
