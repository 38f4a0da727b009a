"""At which ports does the demo listen? The pages where the settings say, everything else where there is room.

Two demos on one machine have different ports for their pages. Only the one at the usual port takes the usual ports
for the rest: between looking and listening no other demo can take them, whatever starts at the same moment.
"""

import socket
from contextlib import ExitStack
from dataclasses import dataclass

from app.errors import BadConfiguration
from app.listen import listen
from app.settings import Settings

HERE = "127.0.0.1"
USUAL = int(Settings.model_fields["port"].default)


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
    """A port for each part, no two the same. Raises BadConfiguration where that of the pages is taken."""
    with ExitStack() as held:
        pages = int(held.enter_context(listen(host, web)).getsockname()[1])

        def take(usual: int) -> int:
            return _take(held, usual if web == USUAL else 0)

        return Ports(pages, take(2525), take(8025), take(1025), take(8090), take(8091))


def _take(held: ExitStack, port: int) -> int:
    """That port, or a free one where it is taken; nobody else gets it while it is held."""
    for wanted in (port, 0):
        try:
            found = held.enter_context(socket.create_server((HERE, wanted)))
        except OSError:
            continue
        return int(found.getsockname()[1])
    raise BadConfiguration("There is no free port on this machine.")
