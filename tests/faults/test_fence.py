"""A worker sleeps past its lease and another has its task: is every write refused by the token? P5 of RELIABILITY C.

The judge is the database: as long as the successor only holds the tasks, no row of the company may change, whatever
those who woke up try; and each of them says how often the token, and nothing else, refused it.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from app.database.base import Base
from app.runs.breakpoints import NAMES
from app.runs.states import RunStatus
from app.worker.intake import take_mail_in
from tests.faults.conftest import Struck
from tests.faults.judge import complaints
from tests.faults.scene import REFUND, Scene
from tests.faults.zygote import LEASE, Doomed

pytestmark = pytest.mark.thorough

NOT_OF_A_RUN = ("mail_before_kept", "mail_kept", "house_mail_claimed", "house_mail_sent", "house_mail_noted")
OTHERWISE = ("before_recovered", "beat")  # only after a kill; only when idle
IN_A_TRANSACTION = ("before_commit", "before_wait", "before_end")  # there the database cuts the sleeper off
BY_ITS_CLOCK = ("after_intent",)  # it looks at its own clock before an effect, and so never comes to write
EVERY = [(name, 0) for name in NAMES if name not in NOT_OF_A_RUN + OTHERWISE] + [("before_intent", REFUND)]
PARTS = [EVERY[place : place + 6] for place in range(0, len(EVERY), 6)]  # each sleeper keeps its connections
ROUNDS = 40 if os.environ.get("PLACET_NIGHTLY") == "1" else 1
WITHOUT_NADIA = ("before_wait",)  # who answers at once is not waited for
SHORT_LEASE, LONG_LEASE = 3, 600  # seconds; sleepers lose theirs, but not on the way; the successor holds all


@pytest.mark.parametrize("places", PARTS, ids=[f"from {part[0][0]}" for part in PARTS])
async def test_p5_workers_that_slept_past_their_leases_write_nothing_and_begin_nothing(
    scene: Scene, struck: Struck, places: list[tuple[str, int]]
) -> None:
    scene.noes = 0
    fenced = 0
    for _ in range(ROUNDS):
        with struck.hurried():
            sleepers = [await asleep(scene, *place) for place in places]
            successor = await taken_over(scene, len(places))
        async with unchanged(scene):
            for one in sleepers:
                one.send(signal.SIGCONT)
            await asyncio.sleep(2 * LEASE)
        assert [await one.ended(0) for one in sleepers] == [None] * len(places), "they go on with other work"
        successor.send(signal.SIGCONT)
        await scene.at_rest(40, share_settled=0)
        await scene.dismiss()
        fenced += sum(one.fenced for one in sleepers)
        missed = {one.at for one in sleepers if not one.fenced}
        assert missed <= {*IN_A_TRANSACTION, *BY_ITS_CLOCK}
        scene.workers.clear()
    print(f"\n{ROUNDS * len(places)} workers slept past their leases; the token alone refused {fenced} of their writes")
    await scene.forget_reservations()
    assert await complaints(scene) == []


async def asleep(scene: Scene, place: str, nth: int) -> Doomed:
    """A worker that has taken a new task and fell asleep there. Its lease runs out when all of them sleep."""
    async with take_mail_in(scene.settings):
        await scene.write()
    one_task = scene.settings.model_copy(update={"worker_runs": 1, "placet_mail_in": ""})
    worker = await scene.zygote.start(one_task, lease=SHORT_LEASE, at=[place], nth=nth, signal=signal.SIGSTOP)
    scene.workers.append(worker)
    await scene.until(lambda: stopped(worker), decides=place not in WITHOUT_NADIA)
    await lease_until(scene, "1 hour")
    return worker


async def taken_over(scene: Scene, tasks: int) -> Doomed:
    """All leases are over, by every clock; one worker takes all the tasks, and is still at them."""
    before = {run.id: run.lease_token for run in await scene.runs()}
    await asyncio.sleep(SHORT_LEASE)  # by their own clocks too
    await lease_until(scene, "-1 second")
    all_tasks = scene.settings.model_copy(update={"worker_runs": tasks, "placet_mail_in": ""})
    successor = await scene.zygote.start(all_tasks, lease=LONG_LEASE, at=["claimed"], signal=signal.SIGSTOP)
    scene.workers.append(successor)
    await scene.until(lambda: stopped(successor), decides=False)  # an answer locks its task, and a claim passes it by
    runs = await scene.runs()
    assert [run.status for run in runs].count(RunStatus.RUNNING) == tasks
    kept = [run.lease_token for run in runs if run.status is RunStatus.RUNNING and run.lease_token == before[run.id]]
    assert kept == [], "the successor did not get them all"
    return successor


async def lease_until(scene: Scene, when: str) -> None:
    """The leases of all tasks that are under way end then."""
    async with scene.owner.tenant(scene.people.company) as session:
        change = "UPDATE runs SET lease_until = clock_timestamp() + CAST(:when AS interval) WHERE status = 'running'"
        await session.execute(text(change), {"when": when})


async def stopped(worker: Doomed) -> bool:
    """Whether it sleeps, by the word of the kernel."""
    return Path(f"/proc/{worker.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T"


@asynccontextmanager
async def unchanged(scene: Scene) -> AsyncIterator[None]:
    """No row of the company is written meanwhile, and nothing happens anywhere else. (The model may be asked.)"""
    before = await everything(scene)
    yield
    after = await everything(scene)
    assert {name for name in before if after[name] != before[name]} == set()


async def everything(scene: Scene) -> dict[str, object]:
    """Each row of each table with the transaction that wrote it, and the others' books."""
    around = scene.around
    found: dict[str, object] = {"mails": around.mails(), "refunds": around.refunds()}
    async with scene.owner.tenant(scene.people.company) as session:
        for table in Base.metadata.sorted_tables:
            if "tenant_id" in table.c:
                rows = select(func.array_agg(text(f"({table.name}.ctid, {table.name}.xmin)::text"))).select_from(table)
                found[table.name] = sorted(await session.scalar(rows) or [])
    return found
