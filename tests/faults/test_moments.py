"""A worker is killed at one moment, and the next one goes on: P1 to P4 of RELIABILITY C, by name."""

import asyncio

import pytest
from sqlalchemy import text

from app.runs.states import CallStatus, RunStatus, WaitingFor
from tests.faults.judge import complaints
from tests.faults.scene import EFFECTS, REFUND, REPLY, Scene
from tests.faults.zygote import LEASE

pytestmark = pytest.mark.thorough


async def killed(scene: Scene, at: str, nth: int = 0, *, then: str = "") -> None:
    """A customer writes, Nadia says yes, and the worker dies at that moment; then a fresh one does what it can.

    `then`: which of the reply and the refund has been begun and has no outcome when it dies.
    """
    scene.noes = 0
    doomed = await scene.worker(at=[at], nth=nth)
    await scene.write()
    await scene.until(lambda: doomed.ended(0))
    assert doomed.at == at
    begun = {call.tool for tool in EFFECTS for call in await scene.calls(tool) if call.status is CallStatus.RUNNING}
    assert begun == ({then} if then else set())
    await asyncio.sleep(LEASE * 1.2)
    await scene.worker()
    await scene.at_rest(20, share_settled=0)
    await scene.forget_reservations()


def outcome(scene: Scene) -> tuple[int, int]:
    """How many mails and refunds the others have counted."""
    return len(scene.around.mailbox.mails()), sum(scene.around.refunds()[one] for one in scene.customers.values())


@pytest.mark.parametrize("nth", [0, REPLY, REFUND])
async def test_p1_killed_before_the_intent_nothing_has_happened_and_then_it_happens_once(
    scene: Scene, nth: int
) -> None:
    await killed(scene, "before_intent", nth)

    assert outcome(scene) == (1, 1)
    assert await complaints(scene) == []


@pytest.mark.parametrize(("at", "mails"), [("mail_before_data", 0), ("mail_taken", 1)])
async def test_p2_p3_a_mail_of_which_nobody_knows_is_not_sent_again_and_waits_for_a_person(
    scene: Scene, at: str, mails: int
) -> None:
    await killed(scene, at, then="send_reply")

    (run,), (reply,) = await scene.runs(), await scene.calls("send_reply")
    assert outcome(scene)[0] == mails
    assert reply.status is CallStatus.UNCERTAIN
    assert (run.status, run.waiting_for) == (RunStatus.WAITING, WaitingFor.UNCERTAIN)
    assert await complaints(scene) == []


@pytest.mark.parametrize("at", ["after_intent", "after_effect"])
async def test_p2_p3_a_refund_is_repeated_under_its_key_and_booked_once(scene: Scene, at: str) -> None:
    await killed(scene, at, REFUND, then="refund_order")

    (refund,) = await scene.calls("refund_order")
    assert refund.status is CallStatus.DONE and outcome(scene)[1] == 1
    assert await complaints(scene) == []


async def test_p4_killed_after_the_answer_the_turn_is_asked_again_and_its_cost_is_not_forgotten(scene: Scene) -> None:
    await killed(scene, "after_answer", 1)

    async with scene.owner.tenant(scene.people.company) as session:
        never_heard = "SELECT count(*) FROM usage WHERE status = 'at_bound' AND cost_usd > 0"
        lost = await session.scalar(text(never_heard))
        turns = await session.scalar(text("SELECT count(*) FROM turns"))
    requests, _ = await scene.around.bad_requests()
    assert lost >= requests - turns >= 1  # a worker may also lose its run between setting aside and asking
    assert outcome(scene) == (1, 1)
    assert await complaints(scene) == []
