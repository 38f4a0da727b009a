"""How does an admin confirm a service's tools? Exactly what was shown, with one click for all or one by one."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.errors import NotFound, PlacetError
from app.identity.roles import Member, Permission
from app.policy.decision import Kind
from app.tool_servers.add import get_server
from app.tool_servers.models import ForeignTool, ToolServer


class ListedAgain(PlacetError):
    """The service changed this after its list was fetched. Please fetch the list again, and look."""

    status = 409


async def review(
    session: AsyncSession,
    server_id: UUID,
    seen: Mapping[UUID, str],
    kinds: Mapping[UUID, Kind] | None = None,
    *,
    by: Member,
) -> int:
    """Confirm the tools in `seen` (by id, each with the `mark` that the page carried), with these kinds where given.

    Gives back how many: what the service changed since it was shown stays held back, the others are confirmed.
    Raises NotAllowed, NotFound, ListedAgain where nothing is as it was shown.
    """
    by.require(Permission.TOOL_SERVERS)
    server = await get_server(session, server_id, by=by)
    wanted = kinds or {}
    if set(wanted) - set(seen):
        raise NotFound
    found = [await _as_shown(session, server, tool_id, mark) for tool_id, mark in seen.items()]
    rows = [row for row in found if row is not None]
    if found and not rows:
        raise ListedAgain
    changed = [(row, row.kind) for row in rows if wanted.get(row.id, row.kind) is not row.kind]
    for row in rows:
        row.kind, row.reviewed_mark, row.reviewed_by = wanted.get(row.id, row.kind), row.mark, by.user_id
        row.reviewed_at = func.clock_timestamp()
    await session.flush()  # the journal's lines come last
    for row, before in changed:
        await _record(session, row, before, by=by)
    facts: dict[str, str | int | bool | None] = {"server": server.name, "tools": len(rows)}
    await record(session, Event.TOOL_SERVER_REVIEWED, by=by.user_id, about=server.id, facts=facts)
    return len(rows)


async def _as_shown(session: AsyncSession, server: ToolServer, tool_id: UUID, mark: str) -> ForeignTool | None:
    """Its row, if it still is what was shown; None if it is another one by now. Raises NotFound."""
    row = await session.scalar(
        select(ForeignTool)
        .where(ForeignTool.tenant_id == server.tenant_id, ForeignTool.id == tool_id)
        .where(ForeignTool.server_id == server.id, ForeignTool.gone_at.is_(None))
        .with_for_update()
    )
    if row is None:
        raise NotFound
    if row.mark != mark or (row.changed_at is not None and row.changed_at > server.looked_at):
        return None
    return row


async def _record(session: AsyncSession, row: ForeignTool, before: Kind, *, by: Member) -> None:
    facts: dict[str, str | int | bool | None] = {"tool": row.name, "before": before.value, "kind": row.kind.value}
    await record(session, Event.TOOL_KIND_CHANGED, by=by.user_id, about=row.id, facts=facts)
