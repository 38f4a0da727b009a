"""How is the shop started by itself? `python -m app.demo.shop --port 8100 --database FILE --key-file FILE`."""

import argparse
import asyncio
import os
import secrets
from contextlib import suppress
from pathlib import Path

from app.demo.serving import listen, make_server
from app.demo.shop.application import create_app


def read_key(file: Path) -> str:
    """The API key in this file, made at the first start, whole or not at all; only its owner reads it."""
    if not file.exists():
        half = file.with_name(file.name + ".half")
        half.unlink(missing_ok=True)
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as writer:
            writer.write(secrets.token_urlsafe(32))
        half.rename(file)
    return file.read_text().strip()


async def serve(port: int, database: Path, api_key: str) -> None:
    """Serve the shop on this machine until the process is told to end."""
    await make_server(create_app(database, api_key)).serve(sockets=[listen(port)])


def main() -> None:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m app.demo.shop")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--database", type=Path, required=True)
    parser.add_argument("--key-file", type=Path, required=True)
    given = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(given.port, given.database, read_key(given.key_file)))


if __name__ == "__main__":
    main()
