"""How does a line get into the journal? Here. It comes last in a transaction: it holds the company's chain."""

from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.models import Entry
from app.database.transaction import tenant_of
from app.ids import new_id


async def record(
    session: AsyncSession,
    event: Event,
    *,
    by: UUID | None = None,
    by_agent: UUID | None = None,
    about: UUID | None = None,
    agent_id: UUID | None = None,
    facts: dict[str, str | int | bool | None] | None = None,
) -> None:
    """Write who did what to what. `facts` hold metadata only: names of tools and rules, counts, never content."""
    line = {
        "tenant_id": tenant_of(session),
        "id": new_id(),
        "event": event.value,
        "by_user": by,
        "by_agent": by_agent,
        "about": about,
        "agent_id": agent_id,
        "facts": facts or {},
    }
    await session.execute(insert(Entry).values(line).inline())
