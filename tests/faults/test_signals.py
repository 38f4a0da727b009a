"""A worker is stopped for too long, asked to end, or loses a part of itself: P5, P6 and P7 of RELIABILITY C."""

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from app.demo.mailbox.faults import Fault, Moment
from app.runs.breakpoints import NAMES
from app.runs.states import CallStatus, RunStatus
from app.worker.intake import take_mail_in
from tests.faults.judge import complaints
from tests.faults.scene import Scene
from tests.faults.worker import REFUSED
from tests.faults.zygote import LEASE, LONG

NOT_OF_A_RUN = ("mail_before_kept", "mail_kept", "house_mail_claimed", "house_mail_sent", "house_mail_noted")
OTHERWISE = ("mail_taken", "before_recovered", "beat")  # the effect has begun; only after a kill; only when idle
IN_A_TRANSACTION = ("before_commit", "before_wait", "before_end")  # there the database cuts the sleeper off
SHORT = ("after_answer", "before_intent", "after_effect")  # each would write, and the first two would begin something
PLACES = [name for name in NAMES if name not in NOT_OF_A_RUN + OTHERWISE and (LONG or name in SHORT)]
ROUNDS = 40 if os.environ.get("PLACET_NIGHTLY") == "1" else 1


async def test_p5_workers_that_slept_past_their_leases_write_nothing_and_begin_nothing(scene: Scene) -> None:
    scene.noes = 0
    refused = scene.zygote.hits[REFUSED]
    for _ in range(ROUNDS):
        await asleep(scene)
        fresh = await scene.worker(door=False)
        await scene.at_rest(40, share_settled=0)
        before = Counter(scene.around.mails()), scene.around.refunds()
        for one in scene.workers:
            one.send(signal.SIGCONT)
        await asyncio.sleep(2 * LEASE)
        alive = [await one.ended(0) is None for one in scene.workers]
        await scene.dismiss()
        assert (Counter(scene.around.mails()), scene.around.refunds()) == before
        assert all(alive) and fresh is scene.workers[-1]  # they go on with other work
        scene.workers.clear()
    refused = scene.zygote.hits[REFUSED] - refused
    print(f"\n{ROUNDS * len(PLACES)} workers slept past their leases; {refused} writes were refused by the token")

    assert refused >= ROUNDS * len([place for place in PLACES if place not in IN_A_TRANSACTION])
    await scene.forget_reservations()
    assert await complaints(scene) == []


async def asleep(scene: Scene) -> None:
    """Each of them takes a task and falls asleep at another place; then a lease goes by."""
    async with take_mail_in(scene.settings):
        await asyncio.gather(*(scene.write() for _ in range(len(PLACES) + (6 if LONG else 1))))
    one_task = scene.settings.model_copy(update={"worker_runs": 1, "placet_mail_in": ""})
    for place in PLACES:
        scene.workers.append(await scene.zygote.start(one_task, at=[place], signal=signal.SIGSTOP))
    await scene.until(lambda: all_stopped(scene))
    await asyncio.sleep(LEASE * 1.2)


async def all_stopped(scene: Scene) -> bool:
    """Whether each worker sleeps, by the word of the kernel."""
    return all(Path(f"/proc/{one.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T" for one in scene.workers)


async def test_p6_asked_to_end_in_the_middle_of_an_effect_it_finishes_it_and_gives_the_rest_back(scene: Scene) -> None:
    scene.noes = 0
    scene.around.faults.plan(Fault(Moment.DOT, delay=2))
    worker = await scene.worker(lease=30)  # so that what is not given back is missed below
    await scene.write()
    await scene.until(lambda: said(scene, "smtp_dot"))
    began = asyncio.get_running_loop().time()
    worker.send(signal.SIGTERM)

    assert await worker.ended(30) == 0
    assert asyncio.get_running_loop().time() - began > 1, "it did not wait for the effect"
    (reply,), (run,) = await scene.calls("send_reply"), await scene.runs()
    assert reply.status is CallStatus.DONE
    assert run.status is RunStatus.QUEUED and run.lease_token is None
    await scene.worker()
    await scene.at_rest(20)
    assert await complaints(scene) == []


@pytest.mark.parametrize("part", ["hold_leases", "take_runs"])
async def test_p7_a_worker_that_loses_a_part_stops_with_an_error_and_others_go_on(scene: Scene, part: str) -> None:
    scene.noes = 0
    scene.around.slow_model += [2.0]
    broken = await scene.worker(dies=part)
    if part == "hold_leases":
        await scene.write()

    assert await broken.ended(10) == 1
    await scene.worker()
    if part == "take_runs":
        await scene.write()
    await scene.at_rest(20)
    (run,) = await scene.runs()
    assert run.status is RunStatus.DONE
    await scene.forget_reservations()
    assert await complaints(scene) == []


async def test_a_cancelled_task_whose_worker_died_in_an_effect_says_that_nobody_knows(scene: Scene) -> None:
    scene.noes = 0
    doomed = await scene.worker(at=["mail_taken"])
    await scene.write()
    await scene.until(lambda: doomed.ended(0))
    await scene.cancel()
    await scene.worker()
    await scene.at_rest(20)

    (reply,), (run,) = await scene.calls("send_reply"), await scene.runs()
    assert reply.status is CallStatus.UNCERTAIN and len(scene.around.mails()) == 1
    assert run.status is RunStatus.CANCELLED


async def said(scene: Scene, place: str) -> bool:
    """Whether something has reached the other side there."""
    return bool(scene.around.watch.hits[place])
