"""How does a server's list become rows? New tools unreviewed, changed ones held back, missing ones gone (T6, T7)."""

from dataclasses import dataclass, replace
from typing import cast

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.database.transaction import tenant_of
from app.ids import new_id
from app.policy.classify import Guess, for_added_server, guess
from app.tool_servers.models import ForeignTool, ToolServer
from app.tool_servers.tools import fingerprint
from app.tools.catalogue import TOOLS
from app.tools.mask import mask_value
from app.tools.mcp.client import Listed
from app.tools.mcp.definition import LONGEST_DESCRIPTION, Refusal, usable


@dataclass(frozen=True)
class Found:
    """What a list brought, counted."""

    new: int = 0
    changed: int = 0
    gone: int = 0
    refused: int = 0


async def keep_list(session: AsyncSession, server: ToolServer, address: str, listed: list[Listed], key: str) -> Found:
    """Write what a server says now. `key` is ours for it: where the server puts it into a text, it is masked."""
    taken, refused = usable(listed, ours=TOOLS, server=server.name)
    leaking = {name for name, _ in taken if mask_value(name, {"key": key}) != name}
    refused += [Refusal("•••", "secret") for _ in leaking]
    rows = await session.scalars(
        select(ForeignTool).where(ForeignTool.tenant_id == tenant_of(session), ForeignTool.server_id == server.id)
    )
    there = {row.name: row for row in rows}
    found = Found(refused=len(refused))
    server.looked_at = (await session.scalars(select(func.clock_timestamp()))).one()
    now = {name: tool for name, tool in taken if name not in leaking}
    for name, tool in now.items():
        found = await _keep(session, server, name, tool, there.get(name), key, found)
    for name, row in there.items():
        if name not in now and row.gone_at is None:
            row.gone_at = func.clock_timestamp()
            found = replace(found, gone=found.gone + 1)
    problems: list[JsonValue] = [{"name": str(mask_value(one.name, {"key": key})), "why": one.why} for one in refused]
    server.sealed = await seal.seal_row(session, server.id, {"address": address, "refused": problems})
    await session.flush()  # the journal's line comes last
    return found


async def _keep(
    session: AsyncSession,
    server: ToolServer,
    name: str,
    tool: Listed,
    row: ForeignTool | None,
    key: str,
    found: Found,
) -> Found:
    mark = await seal.mark(session, fingerprint(tool))
    if row is not None and row.mark == mark:
        row.gone_at = None
        return found
    before = await _looked_at(session, row)
    guessed = guess(tool.name, tool.description, tool.schema, tool.annotations)
    kind = for_added_server(guessed)
    if row is None:
        row = ForeignTool(tenant_id=tenant_of(session), id=new_id(), server_id=server.id, name=name, kind=kind)
        session.add(row)
        found = replace(found, new=found.new + 1)
    else:
        row.kind = max(row.kind, kind) if row.reviewed_mark else kind  # a server's change never makes it milder
        row.changed_at = server.looked_at if row.reviewed_mark else row.changed_at
        found = replace(found, changed=found.changed + 1)
    row.sealed = await seal.seal_row(session, row.id, {**_definition(tool, guessed, key), "before": before})
    row.mark, row.reason, row.gone_at = mark, guessed.reason, None
    return found


async def _looked_at(session: AsyncSession, row: ForeignTool | None) -> JsonValue:
    """Its definition as a person last looked at it, so that they see the difference; None where nobody has."""
    if row is None or row.reviewed_mark is None:
        return None
    kept = cast(dict[str, JsonValue], await seal.open_row(session, row.id, row.sealed))
    if row.reviewed_mark != row.mark:
        return kept.get("before")
    return {name: kept[name] for name in ("description", "schema")}


def _definition(tool: Listed, guessed: Guess, key: str) -> dict[str, JsonValue]:
    """What is kept of it: bounded, and without our key wherever the server wrote it."""
    kept: JsonValue = {
        "name": tool.name,
        "description": str(mask_value(tool.description, {"key": key}))[: 2 * LONGEST_DESCRIPTION],
        "schema": dict(tool.schema),
        "guess_words": list(guessed.words),
    }
    masked = cast(dict[str, JsonValue], mask_value(kept, {"key": key}))
    return {**masked, "fingerprint": fingerprint(tool)}
