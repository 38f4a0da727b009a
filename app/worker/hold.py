"""Which runs does this worker hold right now, and how does it let them go?

While the database is away it waits for it; what was under way then goes back into the queue, where the next step
reads from the database what is so (fault DB1). A run never goes on under a token whose last write nobody knows of.
"""

import asyncio
import logging
import secrets
import traceback
from contextlib import suppress
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

from app.database.away import is_away, kind_of, patiently
from app.runs.broke import fail
from app.runs.claim import BEATS, LEASE, Lease, LeaseLost, claim
from app.runs.house import House
from app.runs.loop import advance

log = logging.getLogger(__name__)
POLL = 5.0  # seconds: behind a lost LISTEN (fault DB5)
LAST_WORK = 25.0  # seconds that a move under way gets after SIGTERM
BREATH = 1.0  # seconds before a run that met trouble in the database is tried again


class Worker:
    """What one worker process holds."""

    def __init__(self, house: House, most: int, lease: timedelta = LEASE) -> None:
        self._house, self._most, self._lease = house, most, lease
        self._held: dict[asyncio.Task[None], Lease] = {}
        self._claiming: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Look for work now."""
        self._woken.set()

    async def take_runs(self) -> None:
        """Claim what is due, as long as there is room; sleep until woken, or until the slow poll."""
        while True:
            self._woken.clear()
            await patiently(self._take)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), POLL)

    async def hold_leases(self) -> None:
        """Tell the database that we live, for each run that we hold."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / BEATS)
            await asyncio.gather(*(self._beat(task, lease) for task, lease in list(self._held.items())))

    async def finish(self) -> None:
        """Let each run come to the end of the move under way, then give it back (fault P6)."""
        if self._claiming is not None:
            await asyncio.wait({self._claiming}, timeout=BREATH)  # what it takes is ours
        for lease in self._held.values():
            lease.leaving = True
        if self._held:
            heart = asyncio.create_task(self.hold_leases())
            await asyncio.wait(list(self._held), timeout=LAST_WORK)
            heart.cancel()

    async def drop(self) -> None:
        """Stop what still goes on and give it back; what had begun is found by its intent."""
        left = dict(self._held)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await asyncio.gather(*(self._give_back(lease) for lease in left.values()))

    async def _take(self) -> None:
        """Claim once. A stop in the middle waits for it: what was claimed and then forgotten would lie a lease long."""
        self._claiming = asyncio.create_task(self._claim())
        await asyncio.shield(self._claiming)

    async def _claim(self) -> None:
        room = self._most - len(self._held)
        for lease in await claim(self._house.database, room, self._lease) if room > 0 else []:
            task = asyncio.create_task(self._bring_on(lease))
            self._held[task] = lease
            task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[None]) -> None:
        del self._held[task]
        self._woken.set()

    async def _beat(self, task: asyncio.Task[None], lease: Lease) -> None:
        try:
            await lease.beat()
        except LeaseLost:
            if task in self._held:
                task.cancel()
        except SQLAlchemyError as error:
            if not is_away(error):
                raise
            log.warning("beat_missed", extra={"run": str(lease.run_id), "error": kind_of(error)})

    async def _bring_on(self, lease: Lease) -> None:
        try:
            await advance(lease, self._house)
        except LeaseLost:
            log.info("lease_lost", extra={"run": str(lease.run_id)})
        except Exception as error:  # the outermost handler: a bug of ours ends one run by name, not the worker
            if is_away(error):
                log.warning("run_left", extra={"run": str(lease.run_id), "error": kind_of(error)})
                await asyncio.sleep(BREATH)
                await self._give_back(lease)
                return
            reference = secrets.token_hex(4)
            log.error(
                "run_broke", extra={"run": str(lease.run_id), "reference": reference, "trace": traceback.format_exc()}
            )
            await fail(lease, reference)

    async def _give_back(self, lease: Lease) -> None:
        """Into the queue. Where the database stays away its lease runs out instead."""
        try:
            await patiently(lease.give_back, seconds=lease.length.total_seconds())
        except SQLAlchemyError as error:
            log.warning("run_left", extra={"run": str(lease.run_id), "error": kind_of(error)})
