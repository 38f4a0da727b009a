"""What is due across companies? Asked through a narrow door: company and id, nothing else (RELIABILITY B10)."""

from uuid import UUID

from sqlalchemy import text

from app.database.transaction import Database


async def due(database: Database, what: str, most: int) -> list[tuple[UUID, UUID]]:
    """Company and id of what a sweep has to look at, the oldest first."""
    async with database.unbound() as session:
        rows = await session.execute(
            text("SELECT tenant_id, id FROM door_due(:what, :most)"), {"what": what, "most": most}
        )
        return [(row.tenant_id, row.id) for row in rows]
