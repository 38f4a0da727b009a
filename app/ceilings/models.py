"""How much of each ceiling is used, by which calls, and how often was an exception used today?"""

from decimal import Decimal
from uuid import UUID

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base, TenantOwned, belongs_to


class CeilingCounter(TenantOwned, Base):
    """What is used of one ceiling, for one target, in one period: pending, running, done and uncertain together."""

    __tablename__ = "ceiling_counters"
    __table_args__ = (
        belongs_to("agents", "agent_id"),
        UniqueConstraint(
            "tenant_id", "agent_id", "ceiling_id", "whose_mark", "span", name="uq_ceiling_counters_one_a_span"
        ),
        CheckConstraint("used >= 0", name="not_negative"),
    )

    agent_id: Mapped[UUID]
    ceiling_id: Mapped[str]
    whose_mark: Mapped[str]  # keyed hash of the target or the customer; empty: all together
    span: Mapped[str]  # '2026-12' or '2026-12-03', in the company's own time zone
    used: Mapped[Decimal] = mapped_column(server_default="0")


class CeilingHold(TenantOwned, Base):
    """What one call takes of one counter, until it is given back. One row each, so nothing is given back twice."""

    __tablename__ = "ceiling_holds"
    __table_args__ = (
        belongs_to("calls", "call_id"),
        belongs_to("ceiling_counters", "counter_id"),
        UniqueConstraint("tenant_id", "call_id", "counter_id"),
        CheckConstraint("amount >= 0", name="not_negative"),
    )

    call_id: Mapped[UUID]
    counter_id: Mapped[UUID]
    amount: Mapped[Decimal]
    held: Mapped[bool] = mapped_column(default=True)


class ExceptionUses(TenantOwned, Base):
    """How often a standing exception let a call through on one day of the company."""

    __tablename__ = "exception_uses"
    __table_args__ = (
        belongs_to("agents", "agent_id"),
        UniqueConstraint("tenant_id", "agent_id", "exception_id", "day"),
        CheckConstraint("used >= 0", name="not_negative"),
    )

    agent_id: Mapped[UUID]
    exception_id: Mapped[str]
    day: Mapped[str]  # '2026-12-03', in the company's own time zone
    used: Mapped[int] = mapped_column(server_default="0")
