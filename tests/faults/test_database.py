"""The database goes away, cuts a connection, or forgets to wake us: DB1, DB3 and DB5 of RELIABILITY C."""

import asyncio
import time

import pytest
from sqlalchemy import text

from app.database.away import patiently
from app.database.transaction import Database
from app.runs.states import RunStatus
from tests.faults.conftest import Struck
from tests.faults.judge import complaints
from tests.faults.scene import SOON, Scene

pytestmark = pytest.mark.thorough

RESTARTS = 3
GOING_AGAIN = 10.0  # seconds, as promised


async def test_db1_postgres_restarted_at_once_under_load_and_work_goes_on(scene: Scene, struck: Struck) -> None:
    scene.noes = 0
    worker = await scene.worker(lease=15)  # the product's: what is held must not wait for it
    people = asyncio.create_task(scene.people_at_work(at_once=4, share_settled=1))
    pauses = []
    for _ in range(RESTARTS):
        await asyncio.sleep(1.5)
        await asyncio.to_thread(struck.restart_at_once)
        pauses.append(await seconds_until_work(scene))
    people.cancel()
    await asyncio.gather(people, return_exceptions=True)
    await scene.at_rest(60)
    await scene.forget_reservations()
    print(f"\n{RESTARTS} restarts under load: work went on after {', '.join(f'{one:.1f} s' for one in pauses)}")

    assert max(pauses) < GOING_AGAIN
    assert await worker.ended(0) is None, "the worker died of it"
    assert await complaints(scene) == []


async def seconds_until_work(scene: Scene) -> float:
    """How long it takes until another outcome of a call or a turn has been written."""
    began = time.monotonic()
    before = await patiently(lambda: written(scene.owner, scene))
    async with asyncio.timeout(3 * GOING_AGAIN):
        while await patiently(lambda: written(scene.owner, scene)) == before:
            await asyncio.sleep(SOON)
    return time.monotonic() - began


async def written(owner: Database, scene: Scene) -> int:
    """How many turns and outcomes there are."""
    async with owner.tenant(scene.people.company) as session:
        outcomes = "SELECT count(*) FROM calls WHERE outcome_at IS NOT NULL"
        both = f"SELECT (SELECT count(*) FROM turns) + ({outcomes})"
        return int(await session.scalar(text(both)) or 0)


async def test_db3_connections_are_cut_again_and_again_and_nothing_is_doubled(scene: Scene, struck: Struck) -> None:
    worker = await scene.worker()
    people = asyncio.create_task(scene.people_at_work(at_once=4))
    cut = 0
    for _ in range(60):
        await asyncio.sleep(0.05)
        cut += await asyncio.to_thread(struck.cut, 2)
    people.cancel()
    await asyncio.gather(people, return_exceptions=True)
    await scene.at_rest(60)
    await scene.forget_reservations()
    print(f"\n{cut} connections cut")

    assert cut > 60 and await worker.ended(0) is None
    assert await complaints(scene) == []


async def test_db5_a_lost_wake_up_is_found_by_looking_within_five_seconds(scene: Scene) -> None:
    scene.noes = 0
    await scene.worker()
    await scene.write()
    await scene.at_rest(20)
    async with scene.owner.unbound() as session:  # as if nobody listened: nothing tells the worker
        await session.execute(text("ALTER TABLE runs DISABLE TRIGGER is_due"))
    try:
        began = time.monotonic()
        await scene.write()
        await scene.until(lambda: second_mail_read(scene))
        assert time.monotonic() - began < 5 + 2
    finally:
        async with scene.owner.unbound() as session:
            await session.execute(text("ALTER TABLE runs ENABLE TRIGGER is_due"))


async def test_db5_a_listener_that_was_cut_listens_again(scene: Scene, struck: Struck) -> None:
    scene.noes = 0
    await scene.worker()
    await scene.write()
    await scene.at_rest(20)
    assert await asyncio.to_thread(struck.cut, 1, "LISTEN%")
    await asyncio.sleep(1.5)
    began = time.monotonic()
    await scene.write()
    await scene.until(lambda: second_mail_read(scene))
    assert time.monotonic() - began < 3, "it was found by the slow poll"
    assert [run.status for run in await scene.runs()].count(RunStatus.FAILED) == 0


async def second_mail_read(scene: Scene) -> bool:
    """Whether a worker has found the second task."""
    return len(await scene.calls("read_mail")) == 2
