"""How does a company add a server with tools of somebody else's making, look at its list again, and remove it?

Servers are asked outside of any transaction, then what they said is written in one.
"""

from dataclasses import asdict
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.connections.connectors import TOOL_SERVERS
from app.connections.enter import MISSING, NOT_AN_ADDRESS, TOO_SHORT, EntryInvalid, put
from app.connections.models import Connection
from app.connections.queries import secrets_of, server_secret
from app.content import seal
from app.database.transaction import Database, tenant_of
from app.errors import NotFound, PlacetError
from app.identity.roles import Member, Permission
from app.ids import new_id
from app.operations import first_time, outcome_of
from app.policy.words import N_
from app.tool_servers.listing import Found, keep_list
from app.tool_servers.models import ForeignTool, ToolServer
from app.tools.addresses import Refused, parse_target
from app.tools.context import Outgoing
from app.tools.mask import SHORTEST
from app.tools.mcp.client import Listed, Place, Silent, list_tools
from app.tools.mcp.definition import SERVER_NAME
from app.tools.mcp.programs import LOCAL, NotStartedHere, is_local
from app.tools.mcp.trouble import Why

WRONG_NAME = N_("A short name of small letters and digits, beginning with a letter.")
TAKEN = N_("Another service has this name already.")
NEITHER = N_("Please choose a program or enter an address.")
BOTH = N_("Either choose a program or enter an address, not both.")
NO_KEY = N_("This program takes no key.")
NOT_SECURE = N_("The address has to begin with https://, or others could read along.")
LONGEST_ADDRESS = 2000
LOOKING_SECONDS = 10.0  # somebody waits in front of the page


class ServerSilent(PlacetError):
    """The service cannot be reached. Please check the address."""

    status = 422
    field = "address"  # of the form, where the sentence stands


class KeyRefused(ServerSilent):
    """The service does not accept this key."""

    field = "key"


class InsideTheHouse(ServerSilent):
    """Placet may not go to this address: it is in a private network. Whoever looks after Placet can allow it."""


class PortNotUsed(ServerSilent):
    """The number after the colon in this address may not be used. Try without it, or ask whoever looks after Placet."""


class ProgramNotAllowed(ServerSilent):
    """This program may not be started here. Whoever looks after Placet can allow it."""


class ProgramSilent(ServerSilent):
    """The program did not say what it can do. Check the key, or ask whoever looks after Placet."""


class TooSlow(ServerSilent):
    """The service did not answer within 10 seconds. Try again later."""


class NotUnderstood(ServerSilent):
    """Something answers at this address, but it does not say what it can do in a way that can be read."""


SILENT = {
    Why.UNREACHABLE: ServerSilent,
    Why.KEY: KeyRefused,
    Why.REFUSED: InsideTheHouse,
    Why.PORT: PortNotUsed,
    Why.NOT_ALLOWED: ProgramNotAllowed,
    Why.SLOW: TooSlow,
    Why.UNREADABLE: NotUnderstood,
}


def address_of(program: str, address: str) -> str:
    """Where a service is: the program that was chosen, or the address that was entered. Raises EntryInvalid."""
    if program and address.strip():
        raise EntryInvalid({"address": BOTH})
    return f"{LOCAL}{program}" if program else address


async def add(
    database: Database, http: Outgoing, *, name: str, address: str, key: str, by: Member, operation: UUID
) -> UUID:
    """Add a server and list its tools, unreviewed. Raises NotAllowed, EntryInvalid, ServerSilent."""
    by.require(Permission.TOOL_SERVERS)
    name, address, key = name.strip(), address.strip(), key.strip()
    if problems := _problems(http, name, address, key):
        raise EntryInvalid(problems)
    async with database.tenant(by.tenant_id) as session:
        if (before := await outcome_of(session, operation)) is not None:
            return UUID(before["server"])
        if await _named(session, name) is not None:
            raise EntryInvalid({"name": TAKEN})
    listed = await _ask(http, Place(address, key))
    server = ToolServer(tenant_id=by.tenant_id, id=new_id(), name=name, added_by=by.user_id)
    async with database.tenant(by.tenant_id) as session:
        if not await first_time(
            session, operation, "tool_server.add", by=by.user_id, outcome={"server": str(server.id)}
        ):
            return UUID((await outcome_of(session, operation) or {})["server"])
        if await _named(session, name) is not None:
            raise EntryInvalid({"name": TAKEN})
        server.sealed = await seal.seal_row(session, server.id, {"address": address, "refused": []})
        session.add(server)
        await session.flush()  # its tools refer to it
        if key:
            await put(session, TOOL_SERVERS, name, key, by=by)
        found = await keep_list(session, server, address, listed, key)
        await _record(session, Event.TOOL_SERVER_ADDED, server, found, by=by)
    return server.id


async def refresh(database: Database, http: Outgoing, server_id: UUID, *, by: Member, operation: UUID) -> Found:
    """Fetch the list again. Raises NotAllowed, NotFound, ServerSilent."""
    by.require(Permission.TOOL_SERVERS)
    async with database.tenant(by.tenant_id) as session:
        if (before := await outcome_of(session, operation)) is not None:
            return Found(**before)
        place = await place_of(session, await get_server(session, server_id, by=by))
    listed = await _ask(http, place)
    async with database.tenant(by.tenant_id) as session:
        server = await get_server(session, server_id, by=by)
        if (before := await outcome_of(session, operation)) is not None:  # the same form waited here for the first
            return Found(**before)
        found = await keep_list(session, server, place.address, listed, place.key)
        await first_time(session, operation, "tool_server.refresh", by=by.user_id, outcome=asdict(found))
        await _record(session, Event.TOOL_SERVER_REFRESHED, server, found, by=by)
    return found


async def replace_key(
    session: AsyncSession, http: Outgoing, server_id: UUID, key: str, *, by: Member, operation: UUID
) -> None:
    """Enter another key for the same server. Raises NotAllowed, NotFound, EntryInvalid."""
    by.require(Permission.TOOL_SERVERS)
    server = await get_server(session, server_id, by=by)
    if not takes_key(http, (await place_of(session, server)).address):
        raise EntryInvalid({"key": NO_KEY})
    if len(key.strip()) < SHORTEST:
        raise EntryInvalid({"key": TOO_SHORT})
    if not await first_time(session, operation, "tool_server.key", by=by.user_id):
        return
    await put(session, TOOL_SERVERS, server.name, key.strip(), by=by)
    await record(session, Event.CONNECTION_REPLACED, by=by.user_id, about=server.id, facts={"connector": TOOL_SERVERS})


def takes_key(http: Outgoing, address: str) -> bool:
    """Would a key for this service get anywhere? A program gets one only where the operator says under which name."""
    try:
        return not is_local(address) or bool(http.program(address).key_as)
    except NotStartedHere:
        return False


async def remove(session: AsyncSession, server_id: UUID, *, by: Member, operation: UUID) -> str:
    """Remove a server: its key is destroyed, its tools are gone from every employee. Returns its name.

    Raises NotAllowed, NotFound.
    """
    by.require(Permission.TOOL_SERVERS)
    try:
        server = await get_server(session, server_id, by=by)
    except NotFound:
        if (before := await outcome_of(session, operation)) is None:
            raise
        return str(before["server"])
    await first_time(session, operation, "tool_server.remove", by=by.user_id, outcome={"server": server.name})
    server.removed_at = func.clock_timestamp()
    await session.execute(
        delete(Connection).where(
            Connection.tenant_id == by.tenant_id,
            Connection.connector == TOOL_SERVERS,
            Connection.name == server.name,
        )
    )
    await session.execute(
        update(ForeignTool)
        .where(ForeignTool.tenant_id == by.tenant_id, ForeignTool.server_id == server.id)
        .values(gone_at=func.clock_timestamp())
    )
    await session.flush()  # the journal's line comes last
    await record(session, Event.TOOL_SERVER_REMOVED, by=by.user_id, about=server.id, facts={"server": server.name})
    return server.name


async def get_server(session: AsyncSession, server_id: UUID, *, by: Member) -> ToolServer:
    """A server that is still there. Raises NotFound."""
    server = await session.get(ToolServer, (by.tenant_id, server_id), with_for_update=True)
    if server is None or server.removed_at is not None:
        raise NotFound
    return server


async def place_of(session: AsyncSession, server: ToolServer) -> Place:
    """Where it is, with our key for it."""
    kept = cast(dict[str, JsonValue], await seal.open_row(session, server.id, server.sealed))
    secrets = await secrets_of(session, {})
    return Place(str(kept["address"]), secrets.get(server_secret(server.name), ""))


async def _named(session: AsyncSession, name: str) -> UUID | None:
    return await session.scalar(
        select(ToolServer.id).where(
            ToolServer.tenant_id == tenant_of(session), ToolServer.name == name, ToolServer.removed_at.is_(None)
        )
    )


async def _record(session: AsyncSession, event: Event, server: ToolServer, found: Found, *, by: Member) -> None:
    facts: dict[str, str | int | bool | None] = {
        "server": server.name,
        "new": found.new,
        "changed": found.changed,
        "gone": found.gone,
        "refused": found.refused,
    }
    await record(session, event, by=by.user_id, about=server.id, facts=facts)


def _problems(http: Outgoing, name: str, address: str, key: str) -> dict[str, str]:
    problems = {}
    if not SERVER_NAME.fullmatch(name):
        problems["name"] = WRONG_NAME
    if key and len(key) < SHORTEST:
        problems["key"] = TOO_SHORT
    if not address:
        return {**problems, "address": NEITHER if http.programs else MISSING}
    if is_local(address):
        return {**_no_program(http, address, key), **problems}
    try:
        target = parse_target(address)
    except Refused:
        return {**problems, "address": NOT_AN_ADDRESS}
    if target.scheme != "https" and not http.in_house(address):
        problems["address"] = NOT_SECURE
    if len(address) > LONGEST_ADDRESS:
        problems["address"] = NOT_AN_ADDRESS
    return problems


def _no_program(http: Outgoing, address: str, key: str) -> dict[str, str]:
    try:
        http.program(address)
    except NotStartedHere:
        return {"address": ProgramNotAllowed().sentence}
    return {"key": NO_KEY} if key and not takes_key(http, address) else {}


async def _ask(http: Outgoing, place: Place) -> list[Listed]:
    try:
        return await list_tools(http, place, seconds=LOOKING_SECONDS)
    except Silent as error:
        if is_local(place.address) and error.why is Why.UNREACHABLE:
            raise ProgramSilent from None
        raise SILENT[error.why] from None
