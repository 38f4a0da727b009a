"""A worker is asked to end, or loses a part of itself: P6 and P7 of RELIABILITY C."""

import asyncio
import signal

import pytest

from app.demo.mailbox.faults import Fault, Moment
from app.runs.states import CallStatus, RunStatus
from tests.faults.judge import complaints
from tests.faults.scene import Scene
from tests.faults.zygote import LEASE

pytestmark = pytest.mark.thorough


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
    await asyncio.sleep(LEASE * 1.2)
    await scene.worker()
    await scene.at_rest(20)

    (reply,), (run,) = await scene.calls("send_reply"), await scene.runs()
    assert reply.status is CallStatus.UNCERTAIN and len(scene.around.mails()) == 1
    assert run.status is RunStatus.CANCELLED


async def said(scene: Scene, place: str) -> bool:
    """Whether something has reached the other side there."""
    return bool(scene.around.watch.hits[place])
