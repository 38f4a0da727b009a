"""How is a key entered, replaced and removed? By an admin; what is entered is sealed and never shown again."""

import re
from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.connections.connectors import CONNECTORS, Connector, Field
from app.connections.mail import place_of
from app.connections.models import Connection
from app.content import seal
from app.database.transaction import tenant_of
from app.errors import NotFound, PlacetError
from app.identity.roles import Member, Permission
from app.ids import new_id
from app.operations import first_time
from app.policy.words import N_
from app.tools.addresses import Refused, parse_target
from app.tools.mask import SHORTEST

MISSING = N_("Please fill this in.")
TOO_SHORT = N_("This has to have at least 8 characters.")  # mask.SHORTEST: a shorter one could not be kept out of texts
NOT_AN_ADDRESS = N_("This is not an address that can be used.")
NOT_A_SERVICE = N_("Please write it like smtp.example.com:465.")
NOT_A_MAIL_ADDRESS = N_("This is not an e-mail address.")
MAIL_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
ENTER_AGAIN = N_("With another address or name, please enter the key or the password again.")
LONGEST = 4096


class EntryInvalid(PlacetError):
    """Please look at the marked fields."""

    status = 422

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__()
        self.fields = fields  # by name, each with its sentence in English


async def enter(
    session: AsyncSession, connector_id: str, values: Mapping[str, str], *, by: Member, operation: UUID
) -> None:
    """Enter or replace; an empty value leaves what is there. Raises NotAllowed, NotFound, EntryInvalid."""
    by.require(Permission.COMPANY_SETTINGS)
    if (connector := CONNECTORS.get(connector_id)) is None:
        raise NotFound
    if not await first_time(session, operation, "connection.enter", by=by.user_id):
        return
    found = select(Connection).where(Connection.tenant_id == by.tenant_id, Connection.connector == connector_id)
    there = {row.name: row for row in await session.scalars(found)}
    given = {name: value.strip() for name, value in values.items() if value.strip()}
    before = {name: str(await seal.open_row(session, row.id, row.sealed)) for name, row in there.items()}
    if problems := _problems(connector, given, before):
        raise EntryInvalid(problems)
    for field in connector.fields:
        if field.name in given:
            await put(session, connector_id, field.name, given[field.name], by=by)
    event = Event.CONNECTION_REPLACED if there else Event.CONNECTION_ENTERED
    await record(session, event, by=by.user_id, facts={"connector": connector_id})


async def remove(session: AsyncSession, connector_id: str, *, by: Member) -> None:
    """Forget everything that was entered; removed already is fine. Raises NotAllowed, NotFound."""
    by.require(Permission.COMPANY_SETTINGS)
    if connector_id not in CONNECTORS:
        raise NotFound
    gone = await session.scalars(
        delete(Connection)
        .where(Connection.tenant_id == by.tenant_id, Connection.connector == connector_id)
        .returning(Connection.id)
    )
    if gone.all():
        await record(session, Event.CONNECTION_REMOVED, by=by.user_id, facts={"connector": connector_id})


async def put(session: AsyncSession, connector: str, name: str, value: str, *, by: Member) -> None:
    """Seal one value in its row, in the place of the one before it."""
    wanted = (tenant_of(session), connector, name)
    row = await session.scalar(
        select(Connection).where(
            Connection.tenant_id == wanted[0], Connection.connector == connector, Connection.name == name
        )
    )
    if row is None:
        row = Connection(tenant_id=wanted[0], id=new_id(), connector=connector, name=name)
        session.add(row)
    row.sealed = await seal.seal_row(session, row.id, value)
    row.entered_by, row.entered_at = by.user_id, func.clock_timestamp()
    row.tried_at = row.works = None
    await session.flush()  # the journal's line comes last


def _problems(connector: Connector, given: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
    problems: dict[str, str] = {}
    addresses = [field.name for field in connector.fields if not field.secret]
    moved = any(name in given and before.get(name, given[name]) != given[name] for name in addresses)
    for field in connector.fields:
        value = given.get(field.name)
        if value is None:
            if field.name not in before:
                problems[field.name] = MISSING
            elif field.secret and moved:  # or a key that nobody may see could be sent wherever its admin likes
                problems[field.name] = ENTER_AGAIN
        elif field.secret and not SHORTEST <= len(value) <= LONGEST:
            problems[field.name] = TOO_SHORT
        elif not field.secret and (problem := _problem(field, value)):
            problems[field.name] = problem
    return problems


def _problem(field: Field, value: str) -> str | None:
    """What is wrong with what is no secret."""
    match field.kind:
        case "web":
            return None if _is_address(value) else NOT_AN_ADDRESS
        case "service":
            return None if place_of(value) else NOT_A_SERVICE
        case "mail":
            return None if MAIL_ADDRESS.fullmatch(value) else NOT_A_MAIL_ADDRESS
        case "text":
            return None if value.isprintable() and len(value) <= LONGEST else NOT_AN_ADDRESS


def _is_address(value: str) -> bool:
    try:
        parse_target(value)
    except Refused:
        return False
    return len(value) <= LONGEST
