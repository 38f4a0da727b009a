"""Promise 1: a tool that may never be used is not in the list, and a call that names it all the same is an error."""

import pytest

from app.runs.limits import CHAT
from app.runs.request import build
from app.runs.situation import look
from app.runs.states import CallStatus
from tests.people import Cast
from tests.scripted import Scripted, refund, use, words


async def tools_shown(world: Scripted, people: Cast) -> set[str]:
    run = await world.run(people)
    async with world.worker.tenant(people.company) as session:
        situation = await look(session, run)
        request = await build(session, situation, model="practice-model", limits=CHAT, conclude=False)
    return {str(tool["name"]) for tool in request.tools}


async def test_a_tool_that_may_never_be_used_is_not_shown(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [words()])
    assert "refund_order" in await tools_shown(scripted, people)

    await scripted.revise(people, tools={"refund_order": "never"})

    assert "refund_order" not in await tools_shown(scripted, people)


async def test_a_call_that_names_it_all_the_same_is_an_error_and_does_nothing(scripted: Scripted, people: Cast) -> None:
    await scripted.revise(people, tools={"refund_order": "never"})
    await scripted.give(people, [refund()], [words()])

    call = await scripted.one(people, "refund_order")
    assert (call.status, call.is_error, call.kind) == (CallStatus.FAILED, True, call.kind)
    assert await scripted.pending(people.company) == []
    assert await scripted.refunded("MC-1042") == "0.00"


@pytest.mark.parametrize("name", ["delete_everything", "REFUND_ORDER", "refund_order ", "x" * 200, "_exception"])
async def test_a_tool_that_does_not_exist_is_named_back_with_those_that_do(
    scripted: Scripted, people: Cast, name: str
) -> None:
    await scripted.give(people, [use(name)], [words()])

    (told,) = await scripted.results(people)
    assert "There is no tool" in told and "tell_manager" in told and len(told) < 500


async def test_a_tool_taken_away_after_the_yes_is_not_run(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "approve")
    await scripted.revise(people, listed_tools=["read_mail"])
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert (await scripted.one(people, "refund_order")).status is CallStatus.REFUSED
    (line,) = await scripted.journal(people, "approval.withdrawn")
    assert line.facts["why"] == "tool_gone"
