"""What does a sweep do when something stands in its way? No row holds up the others, no moment a minute."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

import pytest
from sqlalchemy import Connection, event, select
from sqlalchemy.exc import OperationalError

from app.approvals.models import Approval, ApprovalStatus
from app.database.engine import DatabaseRole, role_url
from app.database.transaction import Database
from app.runs.house import House
from app.runs.models import Run
from app.settings import Settings
from app.worker import clock
from app.worker.sweeps import SWEEPS, Ticked
from tests.conftest import SECRET
from tests.people import Cast
from tests.scripted import Scripted, refund, words


@pytest.fixture
async def hurried(settings: Settings) -> AsyncIterator[Database]:
    """A worker's way to the database that waits a tenth of a second for a lock, not five."""
    url = role_url(settings.database_url, DatabaseRole.WORKER, SECRET)
    database = Database(url, SECRET, pool_size=1)

    @event.listens_for(database.engine.sync_engine, "begin")
    def hurry(connection: Connection) -> None:
        connection.exec_driver_sql("SET LOCAL lock_timeout = '100ms'")

    yield database
    await database.close()


async def test_a_request_that_somebody_holds_does_not_keep_the_next_one_from_its_end(
    scripted: Scripted, people: Cast, hurried: Database
) -> None:
    """Fault DB7: an open session of an administrator, for an hour."""
    for _ in range(2):
        await scripted.give(people, [refund()], [words()])
    requests = sorted([request for request, _ in await scripted.pending(people.company)], key=lambda one: one.asked_at)
    for request in requests:
        await scripted.rewrite(request, expires_at=request.asked_at)
    (expire,) = [one for one in SWEEPS if one.name == "expire"]
    async with scripted.owner.tenant(people.company) as session:
        await session.execute(select(Run.id).where(Run.id == requests[0].run_id).with_for_update())
        await expire.tick(replace(scripted.house, database=hurried))

    async with scripted.web.tenant(people.company) as session:
        rows = await session.scalars(select(Approval.status).order_by(Approval.asked_at))
        assert list(rows) == [ApprovalStatus.PENDING, ApprovalStatus.EXPIRED]
    await expire.tick(scripted.house)
    assert await scripted.pending(people.company) == []


async def test_a_tick_that_met_a_database_that_was_away_does_not_wait_for_the_next_minute(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = asyncio.Event()

    class Interrupted(Ticked):
        async def tick(self, house: House) -> None:
            monkeypatch.setattr(Interrupted, "tick", again)
            raise OperationalError("SELECT 1", {}, Exception("the connection was cut"))

    async def again(self: Ticked, house: House) -> None:
        done.set()

    monkeypatch.setattr(clock, "SWEEPS", (Interrupted("usage", 60, SWEEPS[0].do),))
    ticking = asyncio.create_task(clock.ticking(scripted.house))
    try:
        await asyncio.wait_for(done.wait(), 5)
    finally:
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking
