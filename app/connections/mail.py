"""How does a company's mail leave through its own mail server? Through the guard, with its name and password."""

import asyncio
from collections.abc import Mapping
from urllib.parse import quote

from app.errors import ToolError
from app.notifications.post_office import SignInRefused, SmtpPostOffice
from app.policy.words import N_
from app.tools.addresses import Refused
from app.tools.context import Outgoing, PostOffice

SECONDS = 15.0  # somebody waits in front of the page
AT_ONCE = 465  # where TLS begins with the first byte (RFC 8314)
NO_ANSWER = N_("The mail service cannot be reached under this name, or not over a secure line.")
NOT_TAKEN = N_("The mail service does not accept this name and password.")
NOT_THERE = N_("Placet may not go there: it is in a private network. Whoever looks after Placet can allow it.")


def place_of(service: str) -> tuple[str, int] | None:
    """Host and port as they were entered: smtp.example.com:465; None for what is neither."""
    host, _, port = service.rpartition(":")
    known = host and not set(host) & set("/@ []:") and port.isascii() and port.isdecimal() and int(port) < 65536
    return (host, int(port)) if known else None


def post_of(house: PostOffice, http: Outgoing, secrets: Mapping[str, str]) -> PostOffice:
    """The company's own post office where one was entered, else the operator's."""
    return _own(http, secrets) if "mail_service" in secrets else house


async def try_mail(http: Outgoing, values: Mapping[str, str]) -> str | None:
    """Sign in there, and send nothing."""
    try:
        async with asyncio.timeout(SECONDS):
            await _own(http, values).sign_in()
    except SignInRefused:
        return NOT_TAKEN
    except Refused:
        return NOT_THERE
    except (ToolError, TimeoutError):
        return NO_ANSWER
    return None


def _own(http: Outgoing, values: Mapping[str, str]) -> SmtpPostOffice:
    """A password goes over TLS, except to a machine of the house that the operator named."""
    host, port = place_of(values["mail_service"]) or ("", 0)
    scheme = "smtps" if port == AT_ONCE else "smtp"
    sign_in = f"{quote(values['mail_user'], safe='')}:{quote(values['mail_password'], safe='')}"
    secret = None if port == AT_ONCE or http.names(host, port) else True
    return SmtpPostOffice(f"{scheme}://{sign_in}@{host}:{port}", dial=http.mail_socket, start_tls=secret)
