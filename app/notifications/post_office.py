"""How does a mail reach the mail server? Over SMTP; what is certain is told apart from what nobody knows (B14, T1, T2).

aiosmtplib is kept up by people who know SMTP; nothing here retries, since a second try could be a second mail.
"""

import re
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from socket import socket
from urllib.parse import unquote, urlsplit

import aiosmtplib

from app.errors import BadConfiguration, OutcomeUnknown, ToolError
from app.runs.breakpoints import reach

CONNECT_SECONDS = 20.0
GO_AHEAD, TAKEN = 354, 250  # RFC 5321, 4.2.3
A_DOT_FIRST = re.compile(rb"(?m)^\.")  # such a line gets a second one (RFC 5321, 4.5.2)
LAST_REPLY_SECONDS = 600.0  # RFC 5321, 4.5.3.2.6: a shorter wait would make doubts of our own
Dial = Callable[[str, int], Awaitable[socket]]
NOT_SENT = "The mail server did not take the mail ({code}). It was not sent. Try later, or tell your manager."


class SignInRefused(ToolError):
    """The mail server is there, and does not take the name or the password."""


class SmtpPostOffice:
    """The mail server of an address. A company's own is reached by `dial`, and gets its password over TLS only."""

    def __init__(self, smtp_url: str, *, dial: Dial | None = None, start_tls: bool | None = None) -> None:
        parts = urlsplit(smtp_url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise BadConfiguration("SMTP_URL is not an address like smtp://user:password@host:587.")
        self._tls = parts.scheme == "smtps"
        self._host = parts.hostname
        self._port = parts.port or (465 if self._tls else 25)
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        self._dial, self._start_tls = dial, start_tls

    async def send(self, mail: EmailMessage, *, last_look: Callable[[], None] | None = None) -> None:
        """Hand one mail over. Raises ToolError (certainly not sent) or OutcomeUnknown (it may have been taken)."""
        client = await self._client()
        try:
            await self._ask(client, mail)
            if last_look is not None:
                last_look()
            await _hand_over(client, mail)
        finally:
            client.close()  # the mail is taken or not: QUIT's answer would change nothing

    async def sign_in(self) -> None:
        """Only that. Raises SignInRefused where the password is not taken, ToolError where nobody answers."""
        client = await self._client()
        try:
            await client.connect(username=self._user, password=self._password)
        except aiosmtplib.SMTPAuthenticationError as error:
            raise SignInRefused(NOT_SENT.format(code=error.code)) from error
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise ToolError(NOT_SENT.format(code=_code(error))) from error
        finally:
            client.close()

    async def _client(self) -> aiosmtplib.SMTP:
        sock = await self._dial(self._host, self._port) if self._dial else None
        return aiosmtplib.SMTP(
            hostname=self._host,
            port=None if sock else self._port,
            sock=sock,
            use_tls=self._tls,
            timeout=CONNECT_SECONDS,
            start_tls=self._start_tls,
        )

    async def _ask(self, client: aiosmtplib.SMTP, mail: EmailMessage) -> None:
        """Everything up to the server's "go ahead": until then nothing of the mail has left."""
        try:
            await client.connect(username=self._user, password=self._password)
            await client.mail(mail["From"].addresses[0].addr_spec)
            await client.rcpt(mail["To"].addresses[0].addr_spec)
            await reach("mail_before_data")
            answer = await client.execute_command(b"DATA")
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise ToolError(NOT_SENT.format(code=_code(error))) from error
        if answer.code != GO_AHEAD:
            raise ToolError(NOT_SENT.format(code=answer.code))


async def _hand_over(client: aiosmtplib.SMTP, mail: EmailMessage) -> None:
    """The mail and the final dot. A code is an answer; anything else leaves it open whether the mail was taken."""
    text = mail.as_bytes(policy=mail.policy.clone(linesep="\r\n", cte_type="7bit"))
    try:
        if client.protocol is None:
            raise aiosmtplib.SMTPServerDisconnected("Connection lost")
        client.protocol.write(A_DOT_FIRST.sub(b"..", text) + b".\r\n")
    except aiosmtplib.SMTPServerDisconnected as error:  # lost before the first byte
        raise ToolError(NOT_SENT.format(code="no answer")) from error
    try:
        answer = await client.protocol.read_response(timeout=LAST_REPLY_SECONDS)
    except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
        raise OutcomeUnknown("the mail server did not confirm") from error
    if answer.code != TAKEN:
        raise ToolError(NOT_SENT.format(code=answer.code))
    await reach("mail_taken")


def _code(error: Exception) -> str:
    return str(error.code) if isinstance(error, aiosmtplib.SMTPResponseException) else "no answer"
