"""Does what was entered work? The service is asked once, outside of any transaction."""

from dataclasses import dataclass

from sqlalchemy import func, update

from app.audit.events import Event
from app.audit.journal import record
from app.connections.connectors import CONNECTORS
from app.connections.models import Connection
from app.connections.queries import secrets_of
from app.database.transaction import Database
from app.errors import NotFound
from app.identity.roles import Member, Permission
from app.tools.context import Outgoing


@dataclass(frozen=True)
class Tried:
    """Whether it works, and the sentence that says why not."""

    works: bool
    why: str = ""


async def try_out(database: Database, http: Outgoing, connector_id: str, *, by: Member) -> Tried:
    """Try a connection and remember how it went. Raises NotAllowed, NotFound (also where something is missing)."""
    by.require(Permission.COMPANY_SETTINGS)
    if (connector := CONNECTORS.get(connector_id)) is None:
        raise NotFound
    async with database.tenant(by.tenant_id) as session:
        secrets = await secrets_of(session, {})
    values = {field.name: secrets[field.name] for field in connector.fields if field.name in secrets}
    if len(values) < len(connector.fields):
        raise NotFound
    problem = await connector.try_out(http, values)
    async with database.tenant(by.tenant_id) as session:
        await session.execute(
            update(Connection)
            .where(Connection.tenant_id == by.tenant_id, Connection.connector == connector_id)
            .values(tried_at=func.clock_timestamp(), works=problem is None)
        )
        facts: dict[str, str | int | bool | None] = {"connector": connector_id, "works": problem is None}
        await record(session, Event.CONNECTION_TRIED, by=by.user_id, facts=facts)
    return Tried(problem is None, problem or "")
