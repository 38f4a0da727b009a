"""How is a process woken? By NOTIFY, on a connection of its own; when that is lost it is opened again (fault DB5)."""

import asyncio
import logging
from collections.abc import Callable

import psycopg
from psycopg import sql
from sqlalchemy import URL

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 5.0  # seconds
SILENCE = 30.0  # seconds after which the connection is tried


async def listen_for(url: URL, channel: str, wake: Callable[[], None]) -> None:
    """Call `wake` at each notification on `channel`, until cancelled; after each reconnect too: one may be missed."""
    await hear(url, channel, lambda _: wake())


async def hear(url: URL, channel: str, heard: Callable[[str | None], None]) -> None:
    """The same with what was said: `heard` gets each notification's payload, and None after each reconnect."""
    pause = FIRST_PAUSE
    while True:
        try:
            async with await _connect(url) as connection:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                heard(None)
                pause = FIRST_PAUSE
                while True:
                    async for notification in connection.notifies(timeout=SILENCE):
                        heard(notification.payload)
                    await connection.execute("SELECT 1")
        except psycopg.Error:
            log.warning("listen_lost", extra={"channel": channel})
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)


async def _connect(url: URL) -> psycopg.AsyncConnection[tuple[object, ...]]:
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return await psycopg.AsyncConnection.connect(plain, autocommit=True, connect_timeout=5)
