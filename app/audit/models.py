"""Who did what to what, and when? One append-only, hash-chained journal per company (promise 11)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base, TenantOwned


class Entry(TenantOwned, Base):
    """One line of the journal. Position, hashes and time come from a trigger, never from us."""

    __tablename__ = "journal"
    __table_args__ = (UniqueConstraint("tenant_id", "position"),)

    position: Mapped[int]
    at: Mapped[datetime]
    event: Mapped[str]
    by_user: Mapped[UUID | None]  # None: Placet or an employee itself, as `by_agent` says
    by_agent: Mapped[UUID | None]
    about: Mapped[UUID | None]
    agent_id: Mapped[UUID | None]
    facts: Mapped[dict[str, Any]]  # metadata only
    previous_hash: Mapped[bytes] = mapped_column(LargeBinary)
    hash: Mapped[bytes] = mapped_column(LargeBinary)


class JournalHead(Base):
    """The end of each company's chain; written by the trigger alone."""

    __tablename__ = "journal_heads"

    tenant_id: Mapped[UUID] = mapped_column(ForeignKey("tenants.id"), primary_key=True)
    position: Mapped[int]
    hash: Mapped[bytes] = mapped_column(LargeBinary)
