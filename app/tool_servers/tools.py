"""Which tools of other services does an employee have? Those that its job sheet lists, as they were last fetched."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.connections.queries import server_secret
from app.content import seal
from app.database.transaction import tenant_of
from app.policy.decision import Kind
from app.policy.name_words import split
from app.tool_servers.hold_back import hold_back
from app.tool_servers.models import ForeignTool as Row
from app.tool_servers.models import ToolServer
from app.tools.catalogue import TOOLS
from app.tools.context import Context
from app.tools.mcp.client import CALL_SECONDS, CLOSING_SECONDS, LISTING_SECONDS, Changed, Listed, Place, call_tool
from app.tools.mcp.definition import LONGEST_DESCRIPTION, whole
from app.tools.mcp.foreign import BETWEEN, ForeignTool, NoModel, described, in_words
from app.tools.tool import Provenance, Tool

READS_A_RUN: Final = 10
CHANGING: Final = frozenset({"status", "state", "progress", "health", "now", "time", "queue", "poll", "wait", "live"})


@dataclass(frozen=True)
class Definition:
    """What a server said of a tool, bounded, with our guess."""

    name: str
    description: str
    schema: dict[str, JsonValue]
    fingerprint: str  # of all that it said
    guess_words: tuple[str, ...]
    before: Mapping[str, Any] | None = None  # as a person last looked at it, where the server has changed it since

    @classmethod
    def stored(cls, value: JsonValue) -> "Definition":
        """As it was sealed."""
        kept = cast(dict[str, Any], value)
        return cls(
            kept["name"],
            kept["description"],
            kept["schema"],
            kept["fingerprint"],
            tuple(kept.get("guess_words", ())),
            kept.get("before"),
        )


def fingerprint(tool: Listed) -> str:
    """Names everything that a server said of a tool; kept sealed only."""
    return hashlib.sha256(seal.canonical(whole(tool))).hexdigest()


async def foreign_tools(session: AsyncSession, names: Iterable[str]) -> dict[str, Tool]:
    """The tools of these names that a server lists; what the company removed, or a server no longer has, is absent."""
    wanted = [name for name in names if BETWEEN in name]
    return await _tools(session, Row.name.in_(wanted)) if wanted else {}


async def all_foreign_tools(session: AsyncSession) -> dict[str, Tool]:
    """Every tool of the services that the company added."""
    return await _tools(session, Row.name.is_not(None))


async def _tools(session: AsyncSession, which: ColumnElement[bool]) -> dict[str, Tool]:
    rows = await session.execute(
        select(Row, ToolServer)
        .join(ToolServer, (ToolServer.tenant_id == Row.tenant_id) & (ToolServer.id == Row.server_id))
        .where(Row.tenant_id == tenant_of(session), which)
        .where(ToolServer.removed_at.is_(None), Row.gone_at.is_(None))
        .order_by(Row.name)
    )
    return {row.name: await _tool(session, row, server) for row, server in rows}


async def tool_named(session: AsyncSession, name: str) -> Tool | None:
    """A tool of ours or of another service, whoever may use it."""
    return TOOLS.get(name) or (await foreign_tools(session, [name])).get(name)


def is_changed(row: Row) -> bool:
    """Is it another one than a person looked at? Then it is not there until somebody looks again."""
    if row.changed_at is not None and (row.reviewed_at is None or row.changed_at > row.reviewed_at):
        return True
    return row.reviewed_mark is not None and row.reviewed_mark != row.mark


async def _tool(session: AsyncSession, row: Row, server: ToolServer) -> ForeignTool:
    definition = Definition.stored(await seal.open_row(session, row.id, row.sealed))
    address = cast(dict[str, Any], await seal.open_row(session, server.id, server.sealed))["address"]
    return ForeignTool(
        name=row.name,
        kind=row.kind,
        description=described(server.name, definition.description[:LONGEST_DESCRIPTION]),
        function=_function(row.id, server.name, str(address), definition),
        arguments=NoModel,
        in_words=in_words(server.name, definition.name),
        reads_outside=True,
        provenance=Provenance.OUTSIDE,
        uses_a_run=READS_A_RUN if row.kind is Kind.READ else None,
        changes_by_itself=bool(CHANGING & set(split(definition.name))),
        seconds=2 * LISTING_SECONDS + CALL_SECONDS + 2 * CLOSING_SECONDS,
        foreign=True,
        reviewed=row.reviewed_mark is not None,
        changed=is_changed(row),
        changed_at=row.changed_at,
        form=definition.schema,
    )


def _function(tool_id: UUID, server: str, address: str, definition: Definition) -> Callable[..., Awaitable[JsonValue]]:
    async def call(ctx: Context, /, **arguments: JsonValue) -> JsonValue:
        place = Place(address, ctx.secrets.get(server_secret(server), ""))  # this server's key, and no other's
        try:
            return await call_tool(
                ctx.http,
                place,
                definition.name,
                arguments,
                same=lambda listed: fingerprint(listed) == definition.fingerprint,
            )
        except Changed:
            async with ctx.transaction() as session:
                await hold_back(session, tool_id)
            raise

    return call
