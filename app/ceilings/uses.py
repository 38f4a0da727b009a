"""May a standing exception be used once more today? Counted by one conditional UPDATE, in the intent's transaction."""

from datetime import date
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.ceilings.models import ExceptionUses
from app.database.transaction import tenant_of
from app.ids import new_id


async def use(session: AsyncSession, agent_id: UUID, exception_id: str, today: date, *, most: int) -> bool:
    """Count one use; False where there is none left, and then nothing was counted."""
    key = {"tenant_id": tenant_of(session), "agent_id": agent_id, "exception_id": exception_id}
    key["day"] = today.isoformat()
    made = insert(ExceptionUses).values(id=new_id(), used=0, **key)
    await session.execute(made.on_conflict_do_nothing())
    counted = await session.scalar(
        update(ExceptionUses)
        .filter_by(**key)
        .where(ExceptionUses.used < most)
        .values(used=ExceptionUses.used + 1)
        .returning(ExceptionUses.used)
        .execution_options(synchronize_session=False)
    )
    return counted is not None


async def used_today(session: AsyncSession, agent_id: UUID, today: date) -> dict[str, int]:
    """How often each exception was used on this day."""
    rows = await session.execute(
        select(ExceptionUses.exception_id, ExceptionUses.used).where(
            ExceptionUses.tenant_id == tenant_of(session),
            ExceptionUses.agent_id == agent_id,
            ExceptionUses.day == today.isoformat(),
        )
    )
    return {row.exception_id: row.used for row in rows}
