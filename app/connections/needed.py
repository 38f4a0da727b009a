"""Does an ability work today, or is something missing that it needs? A connection, or a way for mail."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession

from app.connections.connectors import MAIL as MAIL_CONNECTOR
from app.connections.connectors import SHOP as SHOP_CONNECTOR
from app.connections.queries import ConnectionState, connections
from app.settings import Settings
from app.tools.catalogue import SHOP
from app.tools.mail.tools import send_reply

CONNECTOR_OF: Mapping[str, str] = {
    **{tool.name: SHOP_CONNECTOR.id for tool in SHOP},
    send_reply.name: MAIL_CONNECTOR.id,
}


class Works(StrEnum):
    """What is known about it."""

    YES = "yes"
    NOT_CONNECTED = "not_connected"
    LAST_TRY_FAILED = "last_try_failed"
    NO_MAIL_OUT = "no_mail_out"
    MAIL_FAILED = "mail_failed"


WITHOUT = {SHOP_CONNECTOR.id: Works.NOT_CONNECTED, MAIL_CONNECTOR.id: Works.NO_MAIL_OUT}
FAILED = {SHOP_CONNECTOR.id: Works.LAST_TRY_FAILED, MAIL_CONNECTOR.id: Works.MAIL_FAILED}


@dataclass(frozen=True)
class Readiness:
    """What the operator has set up for everybody, and what the company has connected itself."""

    settings: Settings
    connected: Mapping[str, ConnectionState]

    def of(self, ability: str) -> Works:
        """Whether it works, as far as we know without trying."""
        connector = CONNECTOR_OF.get(ability)
        return self.of_connector(connector) if connector else Works.YES

    def of_connector(self, connector: str) -> Works:
        """The company's own values count; without any, the operator's."""
        state = self.connected.get(connector)
        if state is None or not self.entered(connector):
            return Works.YES if self.by_operator(connector) else WITHOUT[connector]
        return FAILED[connector] if state.works is False else Works.YES

    def entered(self, connector: str) -> bool:
        """Has the company entered something of its own for it?"""
        state = self.connected.get(connector)
        return state is not None and any(field.entered_at for field in state.fields)

    def by_operator(self, connector: str) -> bool:
        """Did the operator set up one for every company?"""
        if connector == MAIL_CONNECTOR.id:
            return bool(self.settings.smtp_url)
        return connector == SHOP_CONNECTOR.id and bool(self.settings.placet_shop_url and self.settings.placet_shop_key)


async def readiness(session: AsyncSession, settings: Settings) -> Readiness:
    """As it is now."""
    return Readiness(settings, {state.connector.id: state for state in await connections(session)})
