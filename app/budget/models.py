"""How much money may the model cost a company in a month, how much is reserved, how much was spent?"""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, belongs_to, words


class UsageStatus(StrEnum):
    """How an attempt at a model call stands in the books."""

    RESERVED = "reserved"
    SETTLED = "settled"
    AT_BOUND = "at_bound"  # the usage never came: settled at what it could have cost at most
    RETURNED = "returned"  # certainly not served: given back


class Budget(TenantOwned, Base):
    """One month of a company, in its own time zone ('2026-12'). The CHECK is promise 12."""

    __tablename__ = "budgets"
    __table_args__ = (
        UniqueConstraint("tenant_id", "month"),
        CheckConstraint("reserved_usd >= 0 AND settled_usd >= 0", name="not_negative"),
    )

    month: Mapped[str]
    limit_usd: Mapped[Decimal]
    reserved_usd: Mapped[Decimal] = mapped_column(server_default="0")
    settled_usd: Mapped[Decimal] = mapped_column(server_default="0")


class Usage(TenantOwned, Base):
    """One attempt at a model call: reserved before it, settled after it."""

    __tablename__ = "usage"
    __table_args__ = (belongs_to("runs", "run_id"), belongs_to("budgets", "budget_id"))

    run_id: Mapped[UUID]
    budget_id: Mapped[UUID]
    model: Mapped[str]
    status: Mapped[UsageStatus] = mapped_column(words(UsageStatus), default=UsageStatus.RESERVED)
    reserved_usd: Mapped[Decimal]
    cost_usd: Mapped[Decimal | None]
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
