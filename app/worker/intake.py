"""How does a customer's mail come in? By SMTP (RFC 5321) at a port of the worker's.

The sender hears 250 only after the mail's conversation and its work are committed (promise 13); where they could
not be kept it hears 451 and tries again later, and the same mail twice is one mail.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiosmtpd.smtp import SMTP, Envelope, Session

from app.conversations.arrive import arrive
from app.database.engine import DatabaseRole, role_url
from app.database.transaction import Database
from app.errors import BadConfiguration
from app.listen import listen
from app.settings import Settings

log = logging.getLogger(__name__)

LARGEST_MAIL = 10_000_000  # bytes
MOST_RECIPIENTS = 20
SECONDS_OF_SILENCE = 60.0
AT_ONCE = 4  # mails being kept at the same time; each takes a connection to the database
KEPT = "250 2.0.0 Kept"
NOBODY = "550 5.1.1 Nobody here has this address"
TRY_LATER = "451 4.3.0 Cannot keep it now, try again later"


class Intake:
    """Hands each whole mail to the employee who has its address."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._room = asyncio.Semaphore(AT_ONCE)

    async def handle_RCPT(  # aiosmtpd calls it by this name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take the recipient down; whether somebody has this address is known with the mail."""
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # as above
        """Keep the mail for each of its recipients, and only then say so."""
        raw = envelope.original_content or b""
        async with self._room:
            try:
                found = [await arrive(self._database, raw, to=address) for address in envelope.rcpt_tos]
            except Exception:  # whatever went wrong, nothing may be lost: the sender keeps the mail
                log.exception("mail.not_kept")
                return TRY_LATER
        return KEPT if any(found) else NOBODY


@asynccontextmanager
async def take_mail_in(settings: Settings) -> AsyncIterator[None]:
    """Listen at PLACET_MAIL_IN while the block runs; without that setting there is nothing to listen to."""
    if not settings.placet_mail_in:
        yield
        return
    url = role_url(settings.database_url, DatabaseRole.WORKER, settings.app_secret)
    database = Database(url, settings.app_secret, pool_size=AT_ONCE)
    server = await serve(database, listen(*_address(settings.placet_mail_in)))
    try:
        yield
    finally:
        server.close()  # a mail that is under way is cut: its sender was not told 250, so it comes again
        await database.close()


async def serve(database: Database, listening: socket.socket) -> asyncio.Server:
    """The SMTP server on an open socket."""
    intake = Intake(database)

    def greet() -> SMTP:
        return SMTP(
            intake,
            hostname="placet",
            ident="Placet",
            data_size_limit=LARGEST_MAIL,
            timeout=SECONDS_OF_SILENCE,
            enable_SMTPUTF8=True,
        )

    return await asyncio.get_running_loop().create_server(greet, sock=listening)


def _address(where: str) -> tuple[str, int]:
    host, _, port = where.rpartition(":")
    if not host or not port.isdecimal():
        raise BadConfiguration("PLACET_MAIL_IN is an address and a port, like 127.0.0.1:2525.")
    return host.strip("[]"), int(port)
