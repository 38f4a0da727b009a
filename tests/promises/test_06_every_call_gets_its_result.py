"""Promise 6: every call gets its result in the next message, whatever happened; what is sent is always valid.

The judge is the practice model: it refuses what the real API refuses, and counts.
"""

import json
from typing import Any

import pytest

from app.demo.mails import broken_cup
from app.model.client import Request
from app.runs.states import CallStatus, End, RunStatus
from tests.people import Cast
from tests.scripted import Line, Scripted, mail, read, refund, use, words

LOOK = read("lookup_order", order_number="MC-1042")


async def nothing_was_refused(world: Scripted) -> bool:
    counts = await world.asked_of_model()
    assert counts["requests"] > 0
    return bool(counts["status_400"] == 0)


async def decide(world: Scripted, people: Cast, *verdicts: str) -> None:
    """Decide what waits, the newest first, and bring the run on after each."""
    pending = await world.pending(people.company)
    assert len(pending) == len(verdicts)
    for (request, _), verdict in zip(reversed(pending), verdicts, strict=True):
        await world.answer(people.nadia, request.id, verdict, "not so" if verdict == "reject" else "")
        await world.work()


async def test_a_turn_with_every_sort_of_call_is_answered_whole(scripted: Scripted, people: Cast) -> None:
    """Cases 6 and 7: a read, asks, a refusal, an unknown tool and bad arguments in one turn, decided in reverse."""
    bad: list[Line] = [
        use("no_such_tool"),
        use("refund_order", amount="many"),
        use("save_draft", why="  ", subject="s"),
    ]
    await scripted.give(people, [LOOK, refund(), mail(), refund(), *bad, read("read_mail")], [words()])
    await decide(scripted, people, "reject", "approve")

    assert await nothing_was_refused(scripted)
    calls = await scripted.calls(people.company)
    assert len(calls) == 8 and all(call.result_id for call in calls)
    assert (await scripted.run(people)).status is RunStatus.DONE


async def test_the_results_stand_first_and_in_order(
    scripted: Scripted, people: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 6: one message holds them all, and what was said meanwhile comes after them."""
    sent: list[dict[str, Any]] = []
    body = Request.body

    def kept(self: Request) -> dict[str, Any]:
        sent.append(json.loads(json.dumps(body(self))))
        return body(self)

    monkeypatch.setattr(Request, "body", kept)
    conversation = await scripted.give(people, [LOOK, refund(), use("no_such_tool")], [words()])
    await scripted.say(people.nadia, conversation, "Please hurry.")
    await decide(scripted, people, "approve")

    last = sent[-1]["messages"]
    asked = [block["id"] for block in last[1]["content"] if block["type"] == "tool_use"]
    assert [block.get("tool_use_id", block.get("text")) for block in last[2]["content"]] == [*asked, "Please hurry."]


async def test_what_is_said_while_a_request_waits_is_read_and_the_request_stays_open(
    scripted: Scripted, people: Cast
) -> None:
    """Case 8."""
    conversation = await scripted.give(people, [refund()], [words()])
    for text in ("Are you there?", "Hello?"):
        await scripted.say(people.nadia, conversation, text)
        await scripted.work()
    await decide(scripted, people, "approve")

    assert await nothing_was_refused(scripted)
    assert await scripted.refunded("MC-1042") == "10.00"
    assert len(await scripted.runs(people.company)) == 1


async def test_only_what_asks_waits(scripted: Scripted, people: Cast) -> None:
    """Case 19: the read and the draft of the same turn are done at once."""
    await scripted.give(people, [refund(), LOOK, use("save_draft", subject="Hello", body="Dear Emma")], [words()])

    statuses = {call.tool: call.status for call in await scripted.calls(people.company)}
    assert statuses == {
        "refund_order": CallStatus.ASKING,
        "lookup_order": CallStatus.DONE,
        "save_draft": CallStatus.DONE,
    }


async def test_while_it_waits_nothing_else_can_be_tried(scripted: Scripted, people: Cast) -> None:
    """Case 23: the model is not asked again before every result is in."""
    await scripted.give(people, [refund(), LOOK], [mail()], [words()])
    for _ in range(3):
        await scripted.due_now(people)
        await scripted.work()

    assert (await scripted.asked_of_model())["requests"] == 1


async def test_after_a_no_the_same_effect_by_another_way_asks_and_shows_the_no(
    scripted: Scripted, people: Cast
) -> None:
    """Cases 9 and 23: the same call is refused without a new request; another one on the same order asks."""
    await scripted.give(people, [refund()], [refund()], [refund("9.99")], [words()])
    await decide(scripted, people, "reject")

    first, again, other = await scripted.calls(people.company, "refund_order")
    assert (first.refused_by, again.refused_by) == ("person", "policy:refused_before")
    assert "Nadia" in (await scripted.results(people))[0] and "not so" in (await scripted.results(people))[0]
    assert not first.is_error and not again.is_error
    assert {"rule": "refused_before", "refused": "same_target"} in [
        {"rule": step["rule"], **step["note"]} for step in other.trail
    ]


@pytest.mark.parametrize(
    ("blocks", "end"),
    [
        ([{"block": {"type": "tool_use", "id": "a", "name": "read_mail", "input": "x"}}], End.MODEL_UNREADABLE),
        ([{"block": {"type": "tool_use", "id": "a b", "name": "read_mail", "input": {}}}], End.MODEL_UNREADABLE),
        ([{"block": {"type": "tool_use", "name": "read_mail", "input": {}}}], End.MODEL_UNREADABLE),
        ([{"block": {"type": "tool_use", "id": "a", "name": "", "input": {}}}], End.MODEL_UNREADABLE),
        ([{"block": {"type": "tool_use", "id": "a", "name": "a\u0000b", "input": {}}}], End.MODEL_UNREADABLE),
        ([{"block": {"type": ["odd"]}}], End.MODEL_UNREADABLE),
        ([{"text": " \n"}], End.MODEL_UNREADABLE),
        ([{"text": " \n"}, LOOK], End.MODEL_UNREADABLE),
    ],
)
async def test_an_answer_that_could_not_be_sent_back_is_not_kept(
    scripted: Scripted, people: Cast, blocks: list[Line], end: End
) -> None:
    """Faults M6 and M7: refused whole, asked again once, then the run fails by name; its conversation can go on."""
    stop: Line = {"stop_reason": "tool_use" if "block" in blocks[-1] or "tool" in blocks[-1] else "end_turn"}
    conversation = await scripted.give(people, [*blocks, stop])
    run = await scripted.run(people)
    assert (run.status, run.end) == (RunStatus.FAILED, end)

    await scripted.say(people.nadia, conversation, "And now?")
    await scripted.work()
    assert await nothing_was_refused(scripted)


async def test_an_id_that_came_before_is_refused_with_its_whole_turn(scripted: Scripted, people: Cast) -> None:
    """Fault M7: two calls with one id, in two turns; sent back, the conversation would be invalid for ever."""
    same: Line = {
        "block": {"type": "tool_use", "id": "toolu_1", "name": "lookup_order", "input": {"order_number": "x"}}
    }
    stop: Line = {"stop_reason": "tool_use"}
    conversation = await scripted.give(people, [same, stop], [same, stop], [words()])
    assert (await scripted.run(people)).end is End.MODEL_UNREADABLE

    await scripted.say(people.nadia, conversation, "And now?")
    await scripted.work()
    assert await nothing_was_refused(scripted)


@pytest.mark.parametrize("fault", ["empty", "duplicate_ids", "unknown_block", "max_tokens_in_call"])
async def test_one_bad_answer_is_asked_again(scripted: Scripted, people: Cast, fault: str) -> None:
    await scripted.order_fault(**{fault: True})
    await scripted.give(people, [LOOK], [words()])

    assert (await scripted.run(people)).status is RunStatus.DONE
    assert len(await scripted.calls(people.company)) == 1
    assert [turn.counted for turn in await scripted.turns(people)] == [False, True, True]
    assert await nothing_was_refused(scripted)


async def test_thoughts_go_back_as_they_came(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [{"thinking": "Let me see."}, LOOK], [{"thinking": "So."}, words()])
    assert (await scripted.run(people)).status is RunStatus.DONE
    assert await nothing_was_refused(scripted)


@pytest.mark.parametrize("text", ["One moment", "One moment \n"])
async def test_a_pause_is_sent_back_as_it_is(scripted: Scripted, people: Cast, text: str) -> None:
    await scripted.order_fault(stop_reason="pause_turn")
    await scripted.give(people, [words(text)], [words()])
    assert (await scripted.run(people)).status in (RunStatus.DONE, RunStatus.FAILED)
    assert await nothing_was_refused(scripted)


async def test_a_conversation_goes_on_after_whatever_end(scripted: Scripted, people: Cast) -> None:
    """A second task in the same conversation sees the first one whole."""
    conversation = await scripted.give(people, [LOOK, refund()], [words()], [words("A second time.")])
    await decide(scripted, people, "approve")
    await scripted.say(people.nadia, conversation, "And now?")
    await scripted.work()

    assert [run.status for run in await scripted.runs(people.company)] == [RunStatus.DONE] * 2
    assert await nothing_was_refused(scripted)


async def test_an_ended_mail_can_be_talked_about(scripted: Scripted, people: Cast) -> None:
    from tests.scripted import with_model

    world = with_model(scripted, "practice-model")
    conversation = await world.mail(people, broken_cup())
    await world.work()
    for request, _ in await world.pending(people.company):
        await world.answer(people.nadia, request.id, "approve")
    await world.work()
    await world.say(people.nadia, conversation, "Thank you. What did you write?")
    await world.work()

    first, second = await world.runs(people.company)
    assert first.status is RunStatus.DONE and second.status in (RunStatus.DONE, RunStatus.WAITING)
    assert await nothing_was_refused(world)
