"""Promise 13: killed at any place, work goes on elsewhere; two workers never work on one run; waiting is free."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func

from app.runs.claim import Lease, LeaseLost, claim
from app.runs.loop import advance
from app.runs.states import CallStatus, RunStatus
from tests.moments import Killed, at, die
from tests.people import Cast
from tests.scripted import Scripted, read, refund, use, words

LOOK = read("lookup_order", order_number="MC-1042")
NOTE = use("tell_manager", note="Please have a look.")
PLACES = ["claimed", "before_bound", "before_request", "after_answer", "after_turn", "before_intent", "after_intent"]
PLACES += ["after_effect", "after_outcome", "before_commit", "after_commit", "before_end"]


async def lose_lease(world: Scripted, people: Cast) -> None:
    run = await world.run(people)
    if run.status is RunStatus.RUNNING:
        await world.rewrite(run, lease_until=func.clock_timestamp() - timedelta(seconds=1))


@pytest.mark.parametrize("place", PLACES)
async def test_killed_anywhere_another_worker_brings_it_to_its_end(
    scripted: Scripted, people: Cast, place: str
) -> None:
    with at(place, die), pytest.raises(Killed):
        await scripted.give(people, [LOOK, NOTE], [words()])
    await lose_lease(scripted, people)
    await scripted.work()

    assert (await scripted.run(people)).status is RunStatus.DONE
    statuses = [call.status for call in await scripted.calls(people.company)]
    assert statuses == [CallStatus.DONE] * 2
    assert (await scripted.asked_of_model())["status_400"] == 0
    assert len(await scripted.journal(people, "call.done")) == 1  # the note, once


async def test_a_worker_that_slept_past_its_lease_writes_nothing_more(scripted: Scripted, people: Cast) -> None:
    """Fault P5: the fencing token decides, not who believes to hold the run."""
    with at("claimed", die), pytest.raises(Killed):
        await scripted.give(people, [refund()], [words()])
    await lose_lease(scripted, people)
    (slow,) = [lease for lease in await claim(scripted.worker, 50) if lease.tenant_id == people.company]
    await lose_lease(scripted, people)
    await scripted.work()
    before = await scripted.run(people)

    with pytest.raises(LeaseLost):
        await advance(slow, scripted.house)
    with pytest.raises(LeaseLost):
        await hold(slow)
    after = await scripted.run(people)
    assert (after.status, after.due_at, after.claims) == (before.status, before.due_at, before.claims)


async def taken_over(scripted: Scripted, people: Cast) -> tuple[Lease, Lease]:
    """A run that one worker lost, and another is still at: both leases."""
    with at("claimed", die), pytest.raises(Killed):
        await scripted.give(people, [words()])
    leases = []
    for _ in range(2):
        await lose_lease(scripted, people)
        leases += [lease for lease in await claim(scripted.worker, 50) if lease.tenant_id == people.company]
    slow, fast = leases
    return slow, fast


async def hold(lease: Lease) -> None:
    async with lease.step():
        pass


async def test_while_another_worker_holds_the_run_the_one_that_lost_it_writes_nothing(
    scripted: Scripted, people: Cast
) -> None:
    slow, fast = await taken_over(scripted, people)
    with pytest.raises(LeaseLost):
        await hold(slow)
    await hold(fast)


async def test_a_worker_that_lost_a_run_does_not_give_it_back_out_of_another_s_hands(
    scripted: Scripted, people: Cast
) -> None:
    slow, fast = await taken_over(scripted, people)
    await slow.give_back()
    assert ((run := await scripted.run(people)).status, run.lease_token) == (RunStatus.RUNNING, fast.token)
    await fast.give_back()
    assert ((run := await scripted.run(people)).status, run.lease_token) == (RunStatus.QUEUED, None)


async def test_of_ten_workers_that_claim_at_once_one_gets_the_run(scripted: Scripted, people: Cast) -> None:
    with at("claimed", die), pytest.raises(Killed):
        await scripted.give(people, [words()])
    await lose_lease(scripted, people)
    claimed = await asyncio.gather(*(claim(scripted.worker, 10) for _ in range(8)))
    ours = [lease for leases in claimed for lease in leases if lease.tenant_id == people.company]
    assert len(ours) == 1


async def test_a_run_that_waits_for_a_person_is_in_nobody_s_hands(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    run = await scripted.run(people)
    assert (run.status, run.lease_token) == (RunStatus.WAITING, None)
    assert await scripted.step() == 0


async def test_what_arrives_while_the_employee_is_paused_waits_and_goes_on(scripted: Scripted, people: Cast) -> None:
    from app.employees.pause import pause, resume

    async with scripted.web.tenant(people.company) as session:
        await pause(session, people.camille, by=people.nadia.member)
    await scripted.give(people, [words()])
    run = await scripted.run(people)
    assert (run.status, run.waiting_for) == (RunStatus.WAITING, "person")
    assert (await scripted.asked_of_model())["requests"] == 0
    async with scripted.web.tenant(people.company) as session:
        await resume(session, people.camille, by=people.nadia.member)
    await scripted.work()
    assert (await scripted.run(people)).status is RunStatus.DONE
