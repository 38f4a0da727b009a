"""At which ports does the demo listen? The pages where the settings say, everything else where there is room."""

import socket
from dataclasses import dataclass

from app.errors import BadConfiguration
from app.listen import listen

HERE = "127.0.0.1"


@dataclass(frozen=True)
class Ports:
    """A port for each part."""

    web: int
    mail_in: int
    mailbox_page: int
    mailbox_smtp: int
    practice: int
    shop: int


def choose_ports(host: str, web: int) -> Ports:
    """The usual ports; a part whose usual one is taken gets a free one. The pages' port is refused if it is taken."""
    return Ports(
        web=_the_pages_port(host, web),
        mail_in=_usual_or_free(2525),
        mailbox_page=_usual_or_free(8025),
        mailbox_smtp=_usual_or_free(1025),
        practice=_usual_or_free(8090),
        shop=_usual_or_free(8091),
    )


def _the_pages_port(host: str, port: int) -> int:
    with listen(host, port) as found:
        return int(found.getsockname()[1])


def _usual_or_free(port: int) -> int:
    for wanted in (port, 0):
        try:
            with socket.create_server((HERE, wanted)) as found:
                return int(found.getsockname()[1])
        except OSError:
            continue
    raise BadConfiguration("There is no free port on this machine.")
