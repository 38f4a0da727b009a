"""Promise 7: every task ends, within its bounds, and the end says by its name why it came."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from app.approvals.models import ApprovalStatus
from app.employees.models import Agent, AgentStatus
from app.runs.broke import fail
from app.runs.cancel import cancel
from app.runs.claim import claim
from app.runs.limits import AUTOMATIC, CHAT, limits_for
from app.runs.models import Origin
from app.runs.states import CallStatus, End, RunStatus
from tests.moments import at
from tests.people import Cast
from tests.scripted import Scripted, mail, read, refund, use, words

LOOK = read("lookup_order", order_number="MC-1042")
SMALL = replace(CHAT, steps=3)


def bound(monkeypatch: pytest.MonkeyPatch, **bounds: object) -> None:
    """Let every run have smaller bounds than usual."""
    monkeypatch.setattr("app.runs.moves.limits_for", lambda origin: replace(CHAT, **bounds))


async def how_it_ended(world: Scripted, people: Cast) -> tuple[RunStatus, End | None]:
    """The run's end, which its line in the journal names too; nothing of it is left open."""
    run = await world.run(people)
    lines = await world.journal(people, "task.ended")
    assert [line.facts["end"] for line in lines] == ([run.end.value] if run.end else [])
    assert await world.pending(people.company) == []
    assert all(call.result_id for call in await world.calls(people.company))
    return run.status, run.end


def test_a_person_s_task_takes_thirty_steps_and_an_automatic_one_twelve() -> None:
    assert limits_for(Origin.PERSON) == CHAT and CHAT.steps == 30
    assert limits_for(Origin.TRIGGER) == limits_for(Origin.SCHEDULE) == AUTOMATIC and AUTOMATIC.steps == 12
    assert CHAT.error_rounds == AUTOMATIC.error_rounds == 3 and CHAT.age == timedelta(days=30)


async def test_at_the_step_limit_a_last_word_is_asked_for(
    scripted: Scripted, people: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound(monkeypatch, steps=2)
    await scripted.give(people, *([read("search_catalogue", query=f"tea {n}")] for n in range(9)))

    assert await how_it_ended(scripted, people) == (RunStatus.STOPPED, End.STEP_LIMIT)
    assert [turn.stop_reason for turn in await scripted.turns(people)] == ["tool_use", "tool_use", "end_turn"]


async def test_three_rounds_of_errors_end_it_with_a_last_word(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, *([use("no_such_tool", why=f"try {n}")] for n in range(9)))

    assert await how_it_ended(scripted, people) == (RunStatus.STOPPED, End.ERRORS_IN_A_ROW)
    assert len(await scripted.calls(people.company)) == 3


@pytest.mark.parametrize(
    ("bounds", "end"),
    [
        ({"tokens": 10}, End.TOKEN_LIMIT),
        ({"usd": Decimal("0.000001")}, End.MONEY_LIMIT),
        ({"worked": timedelta(0)}, End.TIME_LIMIT),
    ],
)
async def test_tokens_money_and_working_time_are_bounded(
    scripted: Scripted, people: Cast, monkeypatch: pytest.MonkeyPatch, bounds: dict[str, object], end: End
) -> None:
    bound(monkeypatch, **bounds)
    await scripted.give(people, [LOOK], [words()])
    assert await how_it_ended(scripted, people) == (RunStatus.STOPPED, end)


async def test_after_thirty_days_it_ends_whatever_it_waits_for(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    run = await scripted.run(people)
    await scripted.rewrite(run, made_at=run.made_at - timedelta(days=31))
    await scripted.due_now(people)
    await scripted.work()

    assert await how_it_ended(scripted, people) == (RunStatus.STOPPED, End.TOO_OLD)
    (line,) = await scripted.journal(people, "approval.withdrawn")
    assert (line.about, line.facts["why"]) == (request.id, "run_ended")


async def test_a_run_that_waits_looks_again_before_thirty_days_are_over(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    run = await scripted.run(people)
    assert run.due_at - run.made_at <= timedelta(days=30, minutes=1)


STOPS = [
    ("max_tokens", End.TRUNCATED),
    ("refusal", End.MODEL_REFUSED),
    ("model_context_window_exceeded", End.CONTEXT_FULL),
    ("a_reason_of_tomorrow", End.MODEL_UNREADABLE),
    (None, End.MODEL_UNREADABLE),
]


@pytest.mark.parametrize(("reason", "end"), STOPS)
async def test_an_answer_that_is_none_ends_it_by_name(
    scripted: Scripted, people: Cast, reason: str | None, end: End
) -> None:
    await scripted.give(people, [words(), {"stop_reason": reason}])
    assert await how_it_ended(scripted, people) == (RunStatus.FAILED, end)
    assert await scripted.journal(people, "call.done") == []


@pytest.mark.parametrize(("status", "end"), [(401, End.WRONG_KEY), (400, End.REQUEST_INVALID), (413, End.CONTEXT_FULL)])
async def test_what_cannot_mend_itself_ends_it_at_once(scripted: Scripted, people: Cast, status: int, end: End) -> None:
    await scripted.order_fault(status=status)
    await scripted.give(people, [words()])
    assert await how_it_ended(scripted, people) == (RunStatus.FAILED, end)


async def test_trouble_with_the_model_is_waited_out_and_in_the_end_given_up(scripted: Scripted, people: Cast) -> None:
    """Fault M1: what the server asks for does not decide, our own deadline does."""
    await scripted.order_fault(status=529, times=2, retry_after="86400")
    await scripted.give(people, [words()])
    run = await scripted.run(people)
    assert (run.status, run.waiting_for) == (RunStatus.WAITING, "model")
    assert run.due_at - run.made_at < timedelta(minutes=11)

    await scripted.rewrite(run, model_troubles=200)
    await scripted.due_now(people)
    await scripted.work()
    assert await how_it_ended(scripted, people) == (RunStatus.FAILED, End.MODEL_UNREACHABLE)


async def test_what_no_longer_fits_into_the_model_ends_it(scripted: Scripted, people: Cast) -> None:
    scripted.house = replace(scripted.house, price=replace(scripted.house.price, context=5000))
    await scripted.give(people, [words()])
    assert await how_it_ended(scripted, people) == (RunStatus.FAILED, End.CONTEXT_FULL)


async def test_a_bug_of_ours_ends_one_run_by_name(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    await scripted.due_now(people)
    (lease,) = [one for one in await claim(scripted.worker, 50) if one.tenant_id == people.company]
    await fail(lease, "a1b2c3d4")

    assert await how_it_ended(scripted, people) == (RunStatus.FAILED, End.BROKE)
    assert (await scripted.run(people)).error_reference == "a1b2c3d4"


async def end_it(world: Scripted, people: Cast) -> None:
    async with world.web.tenant(people.company) as session:
        await cancel(session, (await world.run(people)).id, by=people.nadia.member)


async def test_a_person_ends_it_while_it_waits(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    await end_it(scripted, people)
    await end_it(scripted, people)
    await scripted.work()

    assert await how_it_ended(scripted, people) == (RunStatus.CANCELLED, End.CANCELLED)
    assert len(await scripted.journal(people, "task.cancelled")) == 1


@pytest.mark.parametrize("stop", ["ended", "paused"])
async def test_ended_or_paused_during_an_effect_no_other_one_starts(
    scripted: Scripted, people: Cast, stop: str
) -> None:
    """Fault H3: what is under way finishes and is told."""
    await scripted.give(people, [refund(), mail()], [words()])
    for request, _ in await scripted.pending(people.company):
        await scripted.answer(people.nadia, request.id, "approve")

    async def meanwhile() -> None:
        if stop == "ended":
            await end_it(scripted, people)
        else:
            await set_status(scripted, people, AgentStatus.PAUSED)

    with at("after_effect", meanwhile):
        await scripted.work()
    assert await scripted.refunded("MC-1042") == "10.00" and scripted.sent() == 0
    assert (await scripted.one(people, "refund_order")).status is CallStatus.DONE


async def set_status(world: Scripted, people: Cast, status: AgentStatus) -> None:
    async with world.owner.tenant(people.company) as session:
        (await session.get_one(Agent, (people.company, people.camille))).status = status


async def test_it_ends_when_the_employee_leaves(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    await set_status(scripted, people, AgentStatus.DISMISSED)
    await scripted.due_now(people)
    await scripted.work()
    assert await how_it_ended(scripted, people) == (RunStatus.CANCELLED, End.DISMISSED)


async def test_an_answer_cut_short_is_asked_for_once_more_with_more_room(scripted: Scripted, people: Cast) -> None:
    """Fault M5: never an answer by itself."""
    await scripted.order_fault(stop_reason="max_tokens")
    await scripted.give(people, [words()])
    assert await how_it_ended(scripted, people) == (RunStatus.DONE, End.ANSWERED)
    assert (await scripted.run(people)).max_tokens_raised == 1


async def test_a_last_word_that_is_refused_does_not_go_round_for_ever(
    scripted: Scripted, people: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound(monkeypatch, steps=1)
    await scripted.order_fault(after=1, times=50, stop_reason="pause_turn")
    await scripted.give(people, [LOOK], [words()])
    assert await how_it_ended(scripted, people) == (RunStatus.FAILED, End.MODEL_UNREADABLE)
    assert len(await scripted.turns(people)) == 3


async def test_what_is_said_just_before_it_ends_is_answered_by_a_new_task(scripted: Scripted, people: Cast) -> None:
    conversation = await scripted.give(people)  # the script is over at once

    async def meanwhile() -> None:
        await scripted.say(people.nadia, conversation, "One more thing.")

    await scripted.say(people.nadia, conversation, "Again, please.")
    with at("after_answer", meanwhile):
        await scripted.work()

    runs = await scripted.runs(people.company)
    assert [run.status for run in runs] == [RunStatus.DONE] * 3
    assert (await scripted.asked_of_model())["requests"] == 3
    assert (await scripted.asked_of_model())["status_400"] == 0


async def test_a_request_of_an_ended_task_is_closed(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await end_it(scripted, people)
    await scripted.work()
    async with scripted.web.tenant(people.company) as session:
        closed = await session.get_one(type(request), (people.company, request.id))
    assert (closed.status, closed.withdrawn_why) == (ApprovalStatus.WITHDRAWN, "run_ended")
