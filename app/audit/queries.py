"""What stands in the journal? A page of it, filtered by who, by which employee and by what."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.models import Entry
from app.database.transaction import tenant_of


@dataclass(frozen=True)
class Wanted:
    """Which lines; None means all."""

    employee: UUID | None = None
    person: UUID | None = None
    event: str | None = None
    before: int | None = None  # lines older than this position
    after: int | None = None  # lines newer than this position


@dataclass(frozen=True)
class Line:
    """One line of the journal."""

    position: int
    at: datetime
    event: str
    by_user: UUID | None
    by_agent: UUID | None
    about: UUID | None
    agent_id: UUID | None
    facts: Mapping[str, Any] = field(default_factory=dict)


async def lines(session: AsyncSession, wanted: Wanted, *, most: int) -> list[Line]:
    """The newest of the wanted lines first; `after` gives those that follow directly on a position."""
    found = select(
        Entry.position, Entry.at, Entry.event, Entry.by_user, Entry.by_agent, Entry.about, Entry.agent_id, Entry.facts
    ).where(Entry.tenant_id == tenant_of(session))
    if wanted.employee is not None:
        found = found.where(or_(Entry.agent_id == wanted.employee, Entry.by_agent == wanted.employee))
    if wanted.person is not None:
        found = found.where(Entry.by_user == wanted.person)
    if wanted.event is not None:
        found = found.where(Entry.event == wanted.event)
    if wanted.after is not None:
        rows = await session.execute(found.where(Entry.position > wanted.after).order_by(Entry.position).limit(most))
        return [Line(*row) for row in reversed(rows.all())]
    if wanted.before is not None:
        found = found.where(Entry.position < wanted.before)
    rows = await session.execute(found.order_by(Entry.position.desc()).limit(most))
    return [Line(*row) for row in rows]
