"""Promise 4: of all answers to one request one counts; every other is told who decided, what and when."""

import asyncio
from collections import Counter
from uuid import UUID

import pytest

from app.approvals.answer import AlreadyDecided, Answer, Verdict, answer
from app.ids import new_id
from app.runs.states import CallStatus
from tests.people import Cast, Someone
from tests.scripted import Scripted, mail, refund, words


async def try_to(world: Scripted, who: Someone, request: UUID, verdict: str) -> AlreadyDecided | None:
    try:
        await world.answer(who, request, verdict, "changed my mind" if verdict == "reject" else "")
    except AlreadyDecided as already:
        return already
    return None


async def test_of_twenty_answers_at_once_one_counts(scripted: Scripted, people: Cast) -> None:
    """Case 10: the others hear who was first; one execution at most, one line in the journal."""
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    who = [people.nadia, people.omar] * 10
    verdicts = ["approve", "reject", "reject", "approve"] * 5
    answers = [try_to(scripted, one, request.id, verdict) for one, verdict in zip(who, verdicts, strict=True)]
    lost = [already for already in await asyncio.gather(*answers) if already is not None]

    assert len(lost) == 19
    (line,) = await scripted.journal(people, "approval.approved", "approval.rejected")
    winner = "Nadia" if line.by_user == people.nadia.user_id else "Omar"
    assert {already.facts["who"] for already in lost} == {winner}
    assert all(already.facts["when"] for already in lost)
    await scripted.work()
    assert await scripted.refunded("MC-1042") == ("10.00" if line.event.endswith("approved") else "0.00")


async def test_a_second_click_of_the_same_form_is_the_same_answer(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    operation = new_id()
    for _ in range(3):
        async with scripted.web.tenant(people.company) as session:
            await answer(session, request.id, Answer(Verdict.APPROVE), by=people.nadia.member, operation=operation)
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "10.00"
    assert len(await scripted.journal(people, "approval.approved")) == 1


async def test_three_requests_of_one_turn_are_decided_each_for_itself(scripted: Scripted, people: Cast) -> None:
    """Case 7: decided in reverse order, each runs once, with its own arguments."""
    await scripted.give(people, [refund("10.00"), refund("5.50"), mail("Two refunds are on their way.")], [words()])
    pending = await scripted.pending(people.company)
    for request, _ in reversed(pending):
        await scripted.answer(people.nadia, request.id, "approve")
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "15.50"
    (sent,) = scripted.mailbox.mails()
    assert "Two refunds are on their way." in str(sent)
    for request, _ in pending:
        with pytest.raises(AlreadyDecided):
            await scripted.answer(people.omar, request.id, "approve")
    await scripted.work()
    assert await scripted.refunded("MC-1042") == "15.50"


async def test_of_two_requests_the_one_that_was_approved_runs_and_the_other_waits(
    scripted: Scripted, people: Cast
) -> None:
    """Case 4: a click counts for one call, not for all that look like it."""
    await scripted.give(people, [refund("10.00"), refund("10.01")], [words()])
    (first, _), (second, _) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, first.id, "approve")
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "10.00"
    ((still, _),) = await scripted.pending(people.company)
    assert still.id == second.id


async def test_the_very_same_call_twice_in_one_turn_asks_once(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund(), refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "approve")
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "10.00"
    statuses = Counter(call.status for call in await scripted.calls(people.company))
    assert statuses == {CallStatus.DONE: 1, CallStatus.REFUSED: 1}


async def test_a_no_stands_whatever_wakes_the_run(scripted: Scripted, people: Cast) -> None:
    """Case 1: a rejected call is not carried out by any later way of the run."""
    conversation = await scripted.give(people, [refund(), mail()], [words()], [words()])
    pending = {call.tool: request for request, call in await scripted.pending(people.company)}
    await scripted.answer(people.nadia, pending["refund_order"].id, "reject", "not this time")
    await scripted.work()
    await scripted.say(people.nadia, conversation, "Go on.")
    await scripted.due_now(people)
    await scripted.work()
    await scripted.answer(people.nadia, pending["send_reply"].id, "approve")
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert scripted.sent() == 1
