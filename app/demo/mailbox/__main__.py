"""How is the mailbox started by itself? `python -m app.demo.mailbox --port 8200 --smtp-port 8225 --database FILE`."""

import argparse
import asyncio
from contextlib import suppress
from pathlib import Path

from app.demo.mailbox.application import create_app
from app.demo.mailbox.smtp import serve_smtp
from app.demo.mailbox.store import Mailbox
from app.demo.serving import listen, make_server


async def serve(port: int, smtp_port: int, database: Path) -> None:
    """Accept mails and show them, both on this machine only, until the process is told to end."""
    mailbox = Mailbox(database)
    smtp = await serve_smtp(mailbox, listen(smtp_port))
    try:
        await make_server(create_app(mailbox)).serve(sockets=[listen(port)])
    finally:
        smtp.close()


def main() -> None:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m app.demo.mailbox")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--smtp-port", type=int, required=True)
    parser.add_argument("--database", type=Path, required=True)
    given = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(given.port, given.smtp_port, given.database))


if __name__ == "__main__":
    main()
