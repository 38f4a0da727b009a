"""What is connected, and with which secrets do tools work? Secrets go to tools only, never to pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.connections.connectors import ALL, MAIL, TOOL_SERVERS, Connector, Field
from app.connections.models import Connection
from app.content import seal
from app.database.transaction import tenant_of


@dataclass(frozen=True)
class EnteredField:
    """One thing that was entered, or not yet. `shown` is its value where it is no secret."""

    field: Field
    entered_at: datetime | None
    entered_by: UUID | None
    shown: str


@dataclass(frozen=True)
class ConnectionState:
    """A service as the settings page shows it."""

    connector: Connector
    fields: tuple[EnteredField, ...]
    tried_at: datetime | None
    works: bool | None

    @property
    def entered(self) -> bool:
        """Is everything there that is needed?"""
        return all(one.entered_at is not None for one in self.fields)


async def connections(session: AsyncSession) -> tuple[ConnectionState, ...]:
    """Every service that can be connected, with what the company has entered."""
    rows = {(row.connector, row.name): row for row in await _rows(session)}
    states = []
    for connector in ALL:
        found = [rows.get((connector.id, field.name)) for field in connector.fields]
        fields = [await _entered(session, field, row) for field, row in zip(connector.fields, found, strict=True)]
        tried = [row for row in found if row is not None and row.tried_at is not None]
        when, works = (tried[0].tried_at, tried[0].works) if tried else (None, None)
        states.append(ConnectionState(connector, tuple(fields), when, works))
    return tuple(states)


async def secrets_of(session: AsyncSession, fallback: Mapping[str, str]) -> dict[str, str]:
    """What `ctx.secret` gives this company's tools: its own values, else those of the settings.

    A connector is taken whole from one or the other: the settings' key never goes to an address that a company entered.
    """
    rows = await _rows(session)
    entered = {row.connector for row in rows}
    theirs = {field.name for connector in ALL if connector.id in entered for field in connector.fields}
    secrets = {name: value for name, value in fallback.items() if name not in theirs}
    for row in rows:
        name = server_secret(row.name) if row.connector == TOOL_SERVERS else row.name
        secrets[name] = str(await seal.open_row(session, row.id, row.sealed))
    return secrets


async def sender_of(session: AsyncSession, house: str) -> str:
    """Where mails of employees come from: the company's own address where one was entered, else the operator's."""
    row = next((row for row in await _rows(session) if (row.connector, row.name) == (MAIL.id, "mail_from")), None)
    return house if row is None else str(await seal.open_row(session, row.id, row.sealed))


def server_secret(server: str) -> str:
    """Under which name a tool server's key stands among the secrets."""
    return f"{TOOL_SERVERS}:{server}"


async def _rows(session: AsyncSession) -> list[Connection]:
    found = select(Connection).where(Connection.tenant_id == tenant_of(session)).order_by(Connection.entered_at)
    return list(await session.scalars(found))


async def _entered(session: AsyncSession, field: Field, row: Connection | None) -> EnteredField:
    if row is None:
        return EnteredField(field, None, None, "")
    shown = "" if field.secret else str(await seal.open_row(session, row.id, row.sealed))
    return EnteredField(field, row.entered_at, row.entered_by, shown)
