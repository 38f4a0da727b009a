"""What happens when a server's tool is another one than it was? Nobody uses it until an admin has looked (fault T6)."""

from uuid import UUID

from sqlalchemy import func, or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.database.transaction import tenant_of
from app.tool_servers.models import ForeignTool


async def hold_back(session: AsyncSession, tool_id: UUID) -> None:
    """Note that it has changed. Noted already: nothing to do."""
    held = await session.scalar(
        update(ForeignTool)
        .where(ForeignTool.tenant_id == tenant_of(session), ForeignTool.id == tool_id)
        .where(or_(ForeignTool.changed_at.is_(None), ForeignTool.changed_at <= ForeignTool.reviewed_at))
        .values(changed_at=func.clock_timestamp())
        .returning(ForeignTool.name)
    )
    if held is not None:
        await record(session, Event.TOOL_HELD_BACK, about=tool_id, facts={"tool": held})
