"""Promise 5: an effect is written down before it starts; what nobody can know is settled by a person, never retried."""

from datetime import timedelta

import pytest
from sqlalchemy import func

from app.demo.mailbox.faults import Fault, Moment
from app.ids import new_id
from app.runs.models import ToolCall
from app.runs.settle import AlreadySettled, Settlement, StillUnderWay, TaskWentOn, settle
from app.runs.states import CallStatus, RunStatus
from tests.moments import Killed, at, die
from tests.people import Cast, Someone
from tests.scripted import Line, Scripted, mail, refund, words

PLACES = ("before_intent", "after_intent", "after_effect", "after_outcome")


async def approve_all(world: Scripted, people: Cast) -> None:
    for request, _ in await world.pending(people.company):
        await world.answer(people.nadia, request.id, "approve")


async def die_at(world: Scripted, people: Cast, place: str) -> None:
    """The worker is killed there; its lease runs out and another one takes over."""
    with at(place, die), pytest.raises(Killed):
        await world.work()
    await world.rewrite(await world.run(people), lease_until=func.clock_timestamp() - timedelta(seconds=1))
    await world.work()


async def unknown_mail(world: Scripted, people: Cast) -> ToolCall:
    """A mail of which nobody knows whether it went out: the server hung up after the final dot."""
    await world.give(people, [mail()], [words()])
    world.faults.plan(Fault(Moment.DOT, drop=True))
    await approve_all(world, people)
    await world.work()
    call = await world.one(people, "send_reply")
    assert call.status is CallStatus.UNCERTAIN
    return call


async def say_what_happened(world: Scripted, who: Someone, call: ToolCall, how: str) -> None:
    async with world.web.tenant(who.tenant_id) as session:
        await settle(session, call.id, Settlement(how), by=who.member, operation=new_id())


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("line", "most"), [(mail(), "0.00"), (refund(), "10.00")], ids=["mail", "refund"])
async def test_a_worker_killed_anywhere_around_an_effect_leaves_one_at_most(
    scripted: Scripted, people: Cast, place: str, line: Line, most: str
) -> None:
    """Cases 5 and 12: killed between decision and result, it runs once or its outcome is unknown; both are told."""
    await scripted.give(people, [line], [words()])
    await approve_all(scripted, people)
    await die_at(scripted, people, place)

    (call,) = await scripted.calls(people.company)
    done = (scripted.sent(), await scripted.refunded("MC-1042"))
    if call.tool == "refund_order":  # the shop takes our key: done again, it is done once
        assert (call.status, done) == (CallStatus.DONE, (0, most))
    else:
        assert call.status is (CallStatus.UNCERTAIN if place in ("after_intent", "after_effect") else CallStatus.DONE)
        assert done[0] == (0 if place == "after_intent" else 1)


async def test_a_request_survives_the_worker_that_made_it(scripted: Scripted, people: Cast) -> None:
    """Case 12: killed between the question and the decision."""
    with at("after_turn", die), pytest.raises(Killed):
        await scripted.give(people, [refund()], [words()])
    await approve_all(scripted, people)
    await scripted.rewrite(await scripted.run(people), lease_until=func.clock_timestamp() - timedelta(seconds=1))
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "10.00"


async def test_an_outcome_that_nobody_knows_waits_for_a_person(scripted: Scripted, people: Cast) -> None:
    await unknown_mail(scripted, people)
    for _ in range(3):
        await scripted.work()

    run = await scripted.run(people)
    assert (run.status, run.waiting_for) == (RunStatus.WAITING, "uncertain")
    assert scripted.sent() == 1
    assert len(await scripted.journal(people, "call.uncertain")) == 1


@pytest.mark.parametrize(("how", "status"), [("happened", CallStatus.DONE), ("did_not_happen", CallStatus.FAILED)])
async def test_a_person_says_what_happened_and_the_run_goes_on(
    scripted: Scripted, people: Cast, how: str, status: CallStatus
) -> None:
    call = await unknown_mail(scripted, people)
    await say_what_happened(scripted, people.nadia, call, how)
    await scripted.work()

    assert (await scripted.one(people, "send_reply")).status is status
    assert (await scripted.run(people)).status is RunStatus.DONE
    assert "Nadia found out" in (await scripted.results(people))[0]
    assert scripted.sent() == 1
    with pytest.raises(AlreadySettled):
        await say_what_happened(scripted, people.omar, call, "do_it")


async def test_do_it_is_a_new_decision_with_a_new_key(scripted: Scripted, people: Cast) -> None:
    call = await unknown_mail(scripted, people)
    await say_what_happened(scripted, people.nadia, call, "do_it")
    await scripted.work()

    after = await scripted.one(people, "send_reply")
    assert after.status is CallStatus.DONE and after.idempotency_key != call.idempotency_key
    first, second = scripted.mailbox.mails()
    assert str(first) != str(second)
    assert (await scripted.run(people)).status is RunStatus.DONE


async def test_what_is_unknown_a_second_time_can_be_settled_a_second_time(scripted: Scripted, people: Cast) -> None:
    call = await unknown_mail(scripted, people)
    scripted.faults.plan(Fault(Moment.DOT, drop=True))
    await say_what_happened(scripted, people.nadia, call, "do_it")
    await scripted.work()
    await say_what_happened(scripted, people.nadia, call, "happened")
    await scripted.work()

    assert (await scripted.one(people, "send_reply")).status is CallStatus.DONE
    assert (await scripted.run(people)).status is RunStatus.DONE


async def test_do_it_is_refused_while_a_worker_that_lost_the_run_could_still_do_it(
    scripted: Scripted, people: Cast
) -> None:
    """RELIABILITY B4: it may be paused, not dead, and wake up."""
    await scripted.give(people, [mail()], [words()])
    await approve_all(scripted, people)
    await die_at(scripted, people, "after_intent")
    call = await scripted.one(people, "send_reply")
    with pytest.raises(StillUnderWay):
        await say_what_happened(scripted, people.nadia, call, "do_it")
    await scripted.rewrite(call, intent_at=func.clock_timestamp() - timedelta(hours=1))
    await say_what_happened(scripted, people.nadia, call, "do_it")
    await scripted.work()

    assert scripted.sent() == 1


async def test_after_three_days_the_run_goes_on_and_the_question_stays_open(scripted: Scripted, people: Cast) -> None:
    call = await unknown_mail(scripted, people)
    await scripted.rewrite(call, answer_by=func.clock_timestamp() - timedelta(seconds=1))
    await scripted.due_now(people)
    await scripted.work()

    assert (await scripted.run(people)).status is RunStatus.DONE
    assert (await scripted.one(people, "send_reply")).status is CallStatus.UNCERTAIN
    with pytest.raises(TaskWentOn):
        await say_what_happened(scripted, people.nadia, call, "do_it")
    await say_what_happened(scripted, people.nadia, call, "happened")
    assert (await scripted.one(people, "send_reply")).status is CallStatus.DONE


async def test_a_mail_that_the_server_refuses_is_certainly_not_sent(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [mail()], [words()])
    scripted.faults.plan(Fault(Moment.RCPT, reply="550 no such mailbox"))
    await approve_all(scripted, people)
    await scripted.work()

    call = await scripted.one(people, "send_reply")
    assert (call.status, call.is_error) == (CallStatus.FAILED, True)
    assert scripted.sent() == 0


async def test_an_approved_call_is_really_done_and_its_result_is_told(scripted: Scripted, people: Cast) -> None:
    """Case 20: yes is not the result, the result is."""
    await scripted.give(people, [refund()], [words()])
    await approve_all(scripted, people)
    await scripted.work()

    (told,) = await scripted.results(people, "refund_order")
    assert '"refunded_in_total": "10.00"' in told
    assert await scripted.refunded("MC-1042") == "10.00"
