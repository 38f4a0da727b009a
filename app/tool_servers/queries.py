"""Which services with tools of their own are there, what can each do, and what has to be looked at?"""

from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.connections.connectors import TOOL_SERVERS
from app.connections.models import Connection
from app.content import seal
from app.database.transaction import tenant_of
from app.policy.decision import Kind
from app.tool_servers.models import ForeignTool, ToolServer
from app.tool_servers.tools import Definition, is_changed
from app.tools.mcp.foreign import names_in


@dataclass(frozen=True)
class Before:
    """What a service had said, when somebody looked."""

    description: str
    arguments: tuple[str, ...]
    same_form: bool  # what it wants to be told is the same in every detail


@dataclass(frozen=True)
class ListedTool:
    """One tool of a service. Its description and the names of its arguments are the service's own words."""

    id: UUID
    name: str  # as job sheets list it
    own_name: str  # as the service calls it
    description: str
    arguments: tuple[str, ...]
    kind: Kind
    reason: str  # app/policy/classify.py REASONS
    reason_words: tuple[str, ...]
    reviewed: bool
    reviewed_by: UUID | None
    reviewed_at: datetime | None
    changed: bool  # held back until somebody looks
    gone: bool
    mark: str  # for the form: what was shown
    stale: bool  # it changed after the list was fetched: fetch it again, then look
    before: Before | None  # as a person last looked at it, where it has changed since


@dataclass(frozen=True)
class RefusedTool:
    """One that is not taken. `why` is a key of app/tools/mcp/definition.py REFUSALS."""

    name: str
    why: str


@dataclass(frozen=True)
class Server:
    """A service as the settings page shows it."""

    id: UUID
    name: str
    address: str
    has_key: bool
    added_by: UUID
    added_at: datetime
    looked_at: datetime
    tools: tuple[ListedTool, ...]  # what has to be looked at first, then the riskiest
    refused: tuple[RefusedTool, ...]

    @property
    def to_review(self) -> tuple[ListedTool, ...]:
        """Those that nobody has looked at as they are now."""
        return tuple(tool for tool in self.tools if not tool.gone and (tool.changed or not tool.reviewed))


async def servers(session: AsyncSession) -> tuple[Server, ...]:
    """Every service that was added and not removed, by name."""
    rows = await session.scalars(
        select(ToolServer)
        .where(ToolServer.tenant_id == tenant_of(session), ToolServer.removed_at.is_(None))
        .order_by(ToolServer.name)
    )
    keys = set(
        await session.scalars(
            select(Connection.name).where(
                Connection.tenant_id == tenant_of(session), Connection.connector == TOOL_SERVERS
            )
        )
    )
    there = list(rows)
    looked_at = {row.id: row.looked_at for row in there}
    tools = await session.scalars(select(ForeignTool).where(ForeignTool.tenant_id == tenant_of(session)))
    by_server: dict[UUID, list[ListedTool]] = {}
    for tool in tools:
        if tool.server_id in looked_at:
            listed = await _listed(session, tool, looked_at[tool.server_id])
            by_server.setdefault(tool.server_id, []).append(listed)
    return tuple([await _server(session, row, by_server.get(row.id, []), row.name in keys) for row in there])


async def _server(session: AsyncSession, row: ToolServer, tools: list[ListedTool], has_key: bool) -> Server:
    kept = cast(dict[str, JsonValue], await seal.open_row(session, row.id, row.sealed))
    refused = cast(list[dict[str, str]], kept.get("refused") or [])
    return Server(
        id=row.id,
        name=row.name,
        address=str(kept["address"]),
        has_key=has_key,
        added_by=row.added_by,
        added_at=row.added_at,
        looked_at=row.looked_at,
        tools=tuple(sorted(tools, key=_urgency)),
        refused=tuple(RefusedTool(one["name"], one["why"]) for one in refused),
    )


async def _listed(session: AsyncSession, row: ForeignTool, looked_at: datetime) -> ListedTool:
    definition = Definition.stored(await seal.open_row(session, row.id, row.sealed))
    return ListedTool(
        id=row.id,
        name=row.name,
        own_name=definition.name,
        description=definition.description,
        arguments=names_in(definition.schema),
        kind=row.kind,
        reason=row.reason,
        reason_words=definition.guess_words,
        reviewed=row.reviewed_mark is not None,
        reviewed_by=row.reviewed_by,
        reviewed_at=row.reviewed_at,
        changed=is_changed(row),
        gone=row.gone_at is not None,
        mark=row.mark,
        stale=row.changed_at is not None and row.changed_at > looked_at,
        before=_before(definition) if is_changed(row) else None,
    )


def _before(definition: Definition) -> Before | None:
    if definition.before is None:
        return None
    schema = definition.before["schema"]
    return Before(str(definition.before["description"]), names_in(schema), schema == definition.schema)


def _urgency(tool: ListedTool) -> tuple[bool, bool, bool, int, str]:
    return tool.gone, not tool.changed, tool.reviewed, -tool.kind.rank, tool.name
