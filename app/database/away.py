"""Is the database away, and how is it waited for? With growing pauses; whoever is away comes back (faults DB1, DB4)."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 2.0  # seconds: work goes on within 10 s of its return
READ_ONLY = "25006"  # a standby, or a disk without room (fault DB10)
HELD = frozenset({"55P03", "40P01"})  # the lock did not come in time; a deadlock: PostgreSQL is there

T = TypeVar("T")


def is_away(error: BaseException) -> bool:
    """True for trouble that passes by itself: no connection, a lost one, a lock or a deadlock. False for our bugs."""
    if isinstance(error, OperationalError | InterfaceError | NoConnectionFree):
        return True
    if not isinstance(error, DBAPIError):
        return False
    return error.connection_invalidated or getattr(error.orig, "sqlstate", None) == READ_ONLY


def is_held(error: BaseException) -> bool:
    """True where the database is there and only a row that was asked for is in somebody's hands (fault DB7)."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in HELD


def kind_of(error: BaseException) -> str:
    """What the database called it, for the log: `LockNotAvailable`, `AdminShutdown`."""
    return type(getattr(error, "orig", None) or error).__name__


async def patiently(do: Callable[[], Awaitable[T]], *, seconds: float = float("inf")) -> T:
    """Do it, and again while the database is away, for so many seconds at most. Then raises what it met.

    `do` must find out by itself whether an earlier try was kept: when a connection dies after COMMIT was sent
    nobody knows (fault DB3).
    """
    until, pause = time.monotonic() + seconds, FIRST_PAUSE
    while True:
        try:
            return await do()
        except SQLAlchemyError as error:
            if not is_away(error) or time.monotonic() + pause > until:
                raise
            log.warning("database_away", extra={"error": kind_of(error)})
        await asyncio.sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311  (spreads load, guards nothing)
        pause = min(LONGEST_PAUSE, pause * 2)
