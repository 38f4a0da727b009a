"""Promise 3: who does not answer has said no; the run goes on with that, and a late yes counts for nothing."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func

from app.approvals.answer import TooLate
from app.approvals.expire import expire
from app.approvals.models import Approval, ApprovalStatus
from app.runs.states import CallStatus, RunStatus
from app.worker.sweeps import SWEEPS
from tests.people import Cast
from tests.scripted import Scripted, refund, words

A_SECOND_AGO = func.clock_timestamp() - timedelta(seconds=1)


async def too_old(world: Scripted, people: Cast) -> Approval:
    """A request whose time has just run out; no sweep has seen it."""
    await world.give(people, [refund()], [words("I could not refund it.")])
    ((request, _),) = await world.pending(people.company)
    await world.rewrite(request, expires_at=A_SECOND_AGO)
    return request


async def sweep(world: Scripted, name: str) -> None:
    """What the worker's clock does."""
    (one,) = [one for one in SWEEPS if one.name == name]
    await one.tick(world.house)


async def test_a_request_waits_for_72_hours(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    assert request.expires_at - request.asked_at == timedelta(hours=72)


@pytest.mark.parametrize("verdict", ["approve", "reject"])
async def test_an_answer_one_second_late_is_too_late_without_any_sweep(
    scripted: Scripted, people: Cast, verdict: str
) -> None:
    """Case 11: the deadline is the database's, not the sweep's."""
    request = await too_old(scripted, people)
    with pytest.raises(TooLate):
        await scripted.answer(people.nadia, request.id, verdict)
    assert await scripted.journal(people, "approval.approved", "approval.rejected") == []


async def test_the_run_goes_on_with_the_refusal(scripted: Scripted, people: Cast) -> None:
    await too_old(scripted, people)
    await sweep(scripted, "expire")
    await scripted.work()

    assert (await scripted.run(people)).status is RunStatus.DONE
    assert "nobody answered in time" in (await scripted.results(people, "refund_order"))[0]
    assert (await scripted.one(people, "refund_order")).refused_by == "silence"
    assert len(await scripted.journal(people, "approval.expired")) == 1
    assert await scripted.refunded("MC-1042") == "0.00"


async def test_a_yes_that_was_given_after_the_deadline_is_not_carried_out(scripted: Scripted, people: Cast) -> None:
    """Case 11: looked at once more in the transaction that would start the effect."""
    await scripted.give(people, [refund()], [words()])
    ((request, call),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "approve")
    await scripted.rewrite(request, expires_at=A_SECOND_AGO - timedelta(hours=1))
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    call = await scripted.one(people, "refund_order")
    assert (call.status, call.refused_by) == (CallStatus.REFUSED, "silence")


async def test_ten_sweeps_at_once_refuse_it_once(scripted: Scripted, people: Cast) -> None:
    request = await too_old(scripted, people)

    async def once() -> bool:
        async with scripted.worker.tenant(people.company) as session:
            return await expire(session, request.id)

    assert sorted(await asyncio.gather(*(once() for _ in range(10)))) == [False] * 9 + [True]
    assert len(await scripted.journal(people, "approval.expired")) == 1


async def test_a_request_whose_time_has_not_come_is_not_refused(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    await sweep(scripted, "expire")
    ((request, _),) = await scripted.pending(people.company)
    async with scripted.worker.tenant(people.company) as session:
        assert not await expire(session, request.id)
    assert request.status is ApprovalStatus.PENDING


async def test_after_silence_the_same_call_is_refused_without_asking_again(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await scripted.rewrite(request, expires_at=A_SECOND_AGO)
    await sweep(scripted, "expire")
    await scripted.work()

    assert await scripted.pending(people.company) == []
    assert (await scripted.run(people)).status is RunStatus.DONE
