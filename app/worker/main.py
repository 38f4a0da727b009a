"""How does a worker work? It claims runs, holds their leases, brings them on, and lets them go.

It keeps only what it is working on. If a side task dies the worker stops, loudly: the database has everything,
and its leases run out (fault P7). On SIGTERM what is under way finishes (fault P6).
"""

import asyncio
import logging
from collections.abc import Coroutine
from datetime import timedelta

from app.budget.prices import price_of
from app.database.engine import DatabaseRole, role_url
from app.database.listen import listen_for
from app.database.transaction import Database
from app.errors import BadConfiguration
from app.model.client import ModelClient
from app.notifications.post_office import SmtpPostOffice
from app.runs.claim import LEASE
from app.runs.house import House
from app.settings import Settings, require_secret
from app.tools.way_out import way_out
from app.worker.clock import ticking
from app.worker.hold import Worker
from app.worker.no_mail import NoPostOffice

log = logging.getLogger(__name__)


async def work(settings: Settings, stop: asyncio.Event, *, lease: timedelta = LEASE) -> None:
    """Work until `stop` is set. Raises what killed a side task, so that the process ends with an error."""
    secret = require_secret(settings)
    url = role_url(settings.database_url, DatabaseRole.WORKER, secret)
    database = Database(url, secret, pool_size=settings.worker_runs + 6)
    house = make_house(settings, database)
    worker = Worker(house, settings.worker_runs, lease)
    try:
        side = [worker.take_runs(), worker.hold_leases(), listen_for(url, "placet_runs", worker.wake), ticking(house)]
        await _until(stop, side)
        await worker.finish()
    finally:
        await worker.drop()  # first of all: nothing may go on without what it works with
        await house.model.close()
        await database.close()


def make_house(settings: Settings, database: Database) -> House:
    """What runs are given. Raises BadConfiguration where a part of it is missing."""
    return House(
        settings=settings,
        database=database,
        model=ModelClient(settings),
        price=price_of(settings),
        http=way_out(settings),
        mail=SmtpPostOffice(settings.smtp_url) if settings.smtp_url else NoPostOffice(),
        secrets={
            "shop_url": settings.placet_shop_url.rstrip("/"),
            "shop_key": settings.placet_shop_key,
            "mail_from": settings.mail_from,
        },
    )


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
