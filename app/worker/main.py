"""How does a worker work? It claims runs, holds their leases, brings them on, and lets them go.

It keeps only what it is working on. If a side task dies the worker stops, loudly: the database has everything,
and its leases run out (fault P7). On SIGTERM what is under way finishes (fault P6).
"""

import asyncio
import logging
import secrets
import traceback
from collections.abc import Coroutine

from app.budget.prices import price_of
from app.database.engine import DatabaseRole, role_url
from app.database.listen import listen_for
from app.database.transaction import Database
from app.errors import BadConfiguration
from app.model.client import ModelClient
from app.notifications.post_office import SmtpPostOffice
from app.runs.broke import fail
from app.runs.claim import HEARTBEAT, Lease, LeaseLost, claim
from app.runs.house import House
from app.runs.loop import advance
from app.settings import Settings, require_secret
from app.tools.going_out import Guard
from app.tools.http import Http
from app.worker.clock import ticking
from app.worker.no_mail import NoPostOffice

log = logging.getLogger(__name__)
POLL = 5.0  # seconds: behind a lost LISTEN (fault DB5)
LAST_WORK = 25.0  # seconds that work under way gets to finish after SIGTERM


async def work(settings: Settings, stop: asyncio.Event) -> None:
    """Work until `stop` is set. Raises what killed a side task, so that the process ends with an error."""
    secret = require_secret(settings)
    url = role_url(settings.database_url, DatabaseRole.WORKER, secret)
    database = Database(url, secret, pool_size=settings.worker_runs + 6)
    house = make_house(settings, database)
    worker = Worker(house, settings.worker_runs)
    try:
        side = [worker.take_runs(), worker.hold_leases(), listen_for(url, "placet_runs", worker.wake), ticking(house)]
        await _until(stop, side)
        await worker.finish()
    finally:
        await house.model.close()
        await database.close()


def make_house(settings: Settings, database: Database) -> House:
    """What runs are given. Raises BadConfiguration where a part of it is missing."""
    allowed = [settings.placet_shop_url.split("://", 1)[-1].split("/", 1)[0]] if settings.placet_shop_url else []
    return House(
        settings=settings,
        database=database,
        model=ModelClient(settings),
        price=price_of(settings),
        http=Http(Guard(allowed)),
        mail=SmtpPostOffice(settings.smtp_url) if settings.smtp_url else NoPostOffice(),
        secrets={
            "shop_url": settings.placet_shop_url.rstrip("/"),
            "shop_key": settings.placet_shop_key,
            "mail_from": settings.mail_from,
        },
    )


class Worker:
    """What one worker process holds right now."""

    def __init__(self, house: House, most: int) -> None:
        self._house, self._most = house, most
        self._held: dict[asyncio.Task[None], Lease] = {}
        self._woken = asyncio.Event()
        self._stopping = False

    def wake(self) -> None:
        """Look for work now."""
        self._woken.set()

    async def take_runs(self) -> None:
        """Claim what is due, as long as there is room; sleep until woken, or until the slow poll."""
        while True:
            self._woken.clear()
            room = self._most - len(self._held)
            for lease in await claim(self._house.database, room) if room > 0 else []:
                task = asyncio.create_task(self._bring_on(lease))
                self._held[task] = lease
                task.add_done_callback(self._let_go)
            try:
                await asyncio.wait_for(self._woken.wait(), POLL)
            except TimeoutError:
                continue

    async def hold_leases(self) -> None:
        """Tell the database that we live, for each run that we hold."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for task, lease in list(self._held.items()):
                try:
                    await lease.beat()
                except LeaseLost:
                    if not task.done() and task in self._held:
                        task.cancel()

    async def finish(self) -> None:
        """Let what is under way come to its next step's end, then give the rest back."""
        if self._held:
            heart = asyncio.create_task(self.hold_leases())
            await asyncio.wait(list(self._held), timeout=LAST_WORK)
            heart.cancel()
        for task in list(self._held):
            task.cancel()
        await asyncio.gather(*self._held, return_exceptions=True)

    def _let_go(self, task: asyncio.Task[None]) -> None:
        del self._held[task]
        self._woken.set()

    async def _bring_on(self, lease: Lease) -> None:
        try:
            await advance(lease, self._house)
        except LeaseLost:
            log.info("lease_lost", extra={"run": str(lease.run_id)})
        except Exception:  # the outermost handler: a bug of ours ends one run by name, not the worker
            reference = secrets.token_hex(4)
            log.error(
                "run_broke", extra={"run": str(lease.run_id), "reference": reference, "trace": traceback.format_exc()}
            )
            await fail(lease, reference)


async def _until(stop: asyncio.Event, side: list[Coroutine[None, None, None]]) -> None:
    """Run the side tasks until `stop`; the first that ends takes the worker with it."""
    tasks = [asyncio.create_task(one) for one in side]
    stopped = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait([*tasks, stopped], return_when=asyncio.FIRST_COMPLETED)
        for task in done - {stopped}:
            task.result()
            raise BadConfiguration("A part of the worker ended by itself. See the log.")
    finally:
        for task in [*tasks, stopped]:
            task.cancel()
        await asyncio.gather(*tasks, stopped, return_exceptions=True)
