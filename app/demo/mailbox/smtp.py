"""How do the demo's mails arrive? Over SMTP on this machine; every recipient is accepted, nothing goes on from here."""

import asyncio
import socket
from typing import cast

from aiosmtpd.smtp import SMTP, Envelope, Session

from app.demo.mailbox.faults import Faults, Moment
from app.demo.mailbox.store import Mailbox

LARGEST_MAIL = 10_000_000  # bytes


class Keep:
    """Keeps what comes, then says so: 250 is answered only for a mail that is on the disk."""

    def __init__(self, mailbox: Mailbox, faults: Faults) -> None:
        self._mailbox = mailbox
        self._faults = faults

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """The final dot has come."""
        fault = self._faults.take(Moment.DOT)
        if fault is not None:
            await asyncio.sleep(fault.delay)
            if fault.reply:
                return fault.reply
        await asyncio.to_thread(self._mailbox.keep, cast("bytes", envelope.original_content), list(envelope.rcpt_tos))
        if fault is not None and fault.drop:
            cut(server)
        return "250 2.0.0 Kept"


class Conversation(SMTP):
    """One SMTP connection, with the faults that a test asked for."""

    def __init__(self, mailbox: Mailbox, faults: Faults) -> None:
        super().__init__(
            Keep(mailbox, faults),
            data_size_limit=LARGEST_MAIL,
            enable_SMTPUTF8=True,
            hostname="mail.localhost",
            ident="demo",
        )
        self._faults = faults

    async def smtp_EHLO(self, hostname: str) -> None:
        if not await self._fails(Moment.EHLO):
            await super().smtp_EHLO(hostname)

    async def smtp_HELO(self, hostname: str) -> None:  # what a sender tries after a refused EHLO
        if not await self._fails(Moment.EHLO):
            await super().smtp_HELO(hostname)

    async def smtp_MAIL(self, arg: str) -> None:
        if not await self._fails(Moment.MAIL):
            await super().smtp_MAIL(arg)

    async def smtp_RCPT(self, arg: str) -> None:
        if not await self._fails(Moment.RCPT):
            await super().smtp_RCPT(arg)

    async def smtp_DATA(self, arg: str) -> None:
        if not await self._fails(Moment.DATA):
            await super().smtp_DATA(arg)

    async def _fails(self, moment: Moment) -> bool:
        fault = self._faults.take(moment)
        if fault is None:
            return False
        await asyncio.sleep(fault.delay)
        if fault.drop:
            cut(self)
        elif fault.reply:
            await self.push(fault.reply)
        return fault.drop or bool(fault.reply)


def cut(conversation: SMTP) -> None:
    """End the connection without a word, as a crash or a broken line does."""
    if isinstance(conversation.transport, asyncio.WriteTransport):
        conversation.transport.abort()


async def serve_smtp(mailbox: Mailbox, listening: socket.socket, faults: Faults | None = None) -> asyncio.Server:
    """Start to accept mail on this socket; `close()` and `await wait_closed()` end it."""
    kept = faults if faults is not None else Faults()
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: Conversation(mailbox, kept), sock=listening)
