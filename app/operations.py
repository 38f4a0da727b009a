"""Was this command done already? Every command carries an id; a retry finds its own result (RELIABILITY B5)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned
from app.database.transaction import tenant_of


class Operation(TenantOwned, Base):
    """One command that was carried out, by the id that its form carried."""

    __tablename__ = "operations"

    name: Mapped[str]
    user_id: Mapped[UUID | None]
    outcome: Mapped[dict[str, Any]] = mapped_column(default=dict)  # metadata only: ids
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)


async def first_time(
    session: AsyncSession, operation_id: UUID, name: str, *, by: UUID | None, outcome: dict[str, Any] | None = None
) -> bool:
    """Claim `operation_id` in this transaction; False if the same command was committed before."""
    claimed = await session.scalar(
        insert(Operation)
        .values(tenant_id=tenant_of(session), id=operation_id, name=name, user_id=by, outcome=outcome or {})
        .on_conflict_do_nothing()
        .returning(Operation.id)
    )
    return claimed is not None


async def outcome_of(session: AsyncSession, operation_id: UUID) -> dict[str, Any] | None:
    """What the command with this id led to, if it was carried out."""
    return await session.scalar(
        select(Operation.outcome).where(Operation.tenant_id == tenant_of(session), Operation.id == operation_id)
    )
