"""A ceiling holds on what is pending, running, done and uncertain together, and comes back where nothing happened."""

from decimal import Decimal

import pytest
from sqlalchemy import select

from app.approvals.expire import expire
from app.approvals.still_valid import NoLongerValid
from app.ceilings.ceiling import Per
from app.ceilings.models import CeilingCounter
from app.ceilings.queries import standings
from app.ids import new_id
from app.policy.decision import Decision
from app.runs.models import ToolCall
from app.runs.settle import Settlement, settle
from app.runs.states import CallStatus
from tests.factories import House
from tests.people import Cast
from tests.scripted import Line, Scripted, mail, refund, words
from tests.sheets import FREELY, change, current, mails_a_day, past_trial, refunds_a_month


async def used(world: Scripted, people: Cast) -> list[Decimal]:
    """What the counters say."""
    async with world.owner.tenant(people.company) as session:
        counters = select(CeilingCounter.used).where(CeilingCounter.tenant_id == people.company)
        return sorted(await session.scalars(counters))


def step_of(call: ToolCall) -> dict[str, str]:
    """What the rule `ceiling` noted."""
    decision = Decision.from_json({"mode": call.mode.value if call.mode else "ask", "trail": call.trail})
    (step,) = [step for step in decision.trail if step.rule == "ceiling"]
    return dict(step.note)


def three_refunds() -> list[Line]:
    return [refund("10.00", "first"), refund("10.00", "second"), refund("10.00", "third")]


async def test_what_would_pass_a_hard_ceiling_is_refused_and_nobody_is_asked(scripted: Scripted, people: Cast) -> None:
    await change(scripted, people, ceilings=(refunds_a_month("25"),))
    await scripted.give(people, three_refunds(), [words()])

    assert [call.status for call in await scripted.calls(people.company)] == ["asking", "asking", "refused"]
    refused = (await scripted.calls(people.company))[2]
    assert refused.refused_by == "policy:ceiling" and step_of(refused)["over"] == "5"
    assert "ceiling" in (await scripted.results(people))[0]
    assert await used(scripted, people) == [20]
    async with scripted.web.tenant(people.company) as session:
        (standing,) = await standings(session, people.camille, by=people.nadia.member)
    assert (standing.used, standing.left, standing.apart) == (20, 5, 1)


async def test_a_no_gives_back_and_a_yes_does_not(scripted: Scripted, people: Cast) -> None:
    await change(scripted, people, ceilings=(refunds_a_month("25"),))
    await scripted.give(people, three_refunds()[:2], [words()])
    (first, _), (second, _) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, first.id, "reject")
    assert await used(scripted, people) == [10]
    await scripted.answer(people.nadia, second.id, "approve")
    await scripted.work()
    assert await scripted.refunded("MC-1042") == "10.00" and await used(scripted, people) == [10]


async def test_silence_gives_back_once(scripted: Scripted, people: Cast) -> None:
    await change(scripted, people, ceilings=(refunds_a_month("25"),))
    await scripted.give(people, [refund("10.00")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await scripted.rewrite(request, expires_at=request.asked_at)
    for expected in (True, False):
        async with scripted.worker.tenant(people.company) as session:
            assert await expire(session, request.id) is expected
        assert await used(scripted, people) == [0]


async def test_what_certainly_failed_is_given_back(scripted: Scripted, people: Cast) -> None:
    """The shop refuses more than was paid."""
    await change(scripted, people, ceilings=(refunds_a_month("5000"),))
    await scripted.give(people, [refund("4000.00")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    assert await used(scripted, people) == [4000]
    await scripted.answer(people.nadia, request.id, "approve")
    await scripted.work()
    assert (await scripted.one(people, "refund_order")).status is CallStatus.FAILED
    assert await used(scripted, people) == [0]


async def test_what_a_person_cancels_is_given_back(scripted: Scripted, people: Cast) -> None:
    from app.runs.cancel import cancel

    await change(scripted, people, ceilings=(refunds_a_month("25"),))
    await scripted.give(people, [refund("10.00")], [words()])
    async with scripted.web.tenant(people.company) as session:
        await cancel(session, (await scripted.run(people)).id, by=people.nadia.member)
    await scripted.work()
    assert await used(scripted, people) == [0]


async def test_a_soft_ceiling_asks_and_says_by_how_much(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people, kinds=FREELY, ceilings=(mails_a_day(1, soft=True),))
    await scripted.give(people, [mail("First."), mail("Second, another.")], [words()])

    assert len(scripted.mailbox.mails()) == 1
    ((_, call),) = await scripted.pending(people.company)
    assert await used(scripted, people) == [2]
    assert step_of(call) | {"id": ""} == {"ceiling": "1 ×", "over": "1", "unit": "×", "hard": "no", "id": ""}


async def test_changes_that_would_pass_it_are_not_approved_and_smaller_ones_free_the_rest(
    scripted: Scripted, people: Cast
) -> None:
    await change(scripted, people, ceilings=(refunds_a_month("15"),))
    await scripted.give(people, [refund("10.00")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    with pytest.raises(NoLongerValid) as told:
        await scripted.answer(people.nadia, request.id, "approve", amount="15.01")
    assert told.value.facts["why"] == "ceiling_passed" and await used(scripted, people) == [10]
    await scripted.answer(people.nadia, request.id, "approve", amount="7.50")
    assert await used(scripted, people) == [Decimal("7.50")]


async def test_a_ceiling_that_was_lowered_meanwhile_stops_what_waits(scripted: Scripted, people: Cast) -> None:
    await change(scripted, people, ceilings=(refunds_a_month("15"),))
    await scripted.give(people, [refund("10.00")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    (kept,) = (await current(scripted, people)).draft.ceilings
    lower = refunds_a_month("5")
    await change(scripted, people, ceilings=(type(kept)(**{**_fields(kept), "limit": lower.limit}),))
    with pytest.raises(NoLongerValid):
        await scripted.answer(people.nadia, request.id, "approve")
    assert len(await used(scripted, people)) == 1  # the same total goes on


def _fields(ceiling: object) -> dict[str, object]:
    return {name: getattr(ceiling, name) for name in type(ceiling).__dataclass_fields__}


async def test_a_ceiling_set_in_the_middle_of_a_month_counts_what_was_done_and_what_is_uncertain(
    scripted: Scripted, people: Cast
) -> None:
    house = House(scripted.worker, scripted.house.settings, people.company, people.camille)
    unknown = await house.does_not_know()  # 24.90 EUR for MC-1042
    await change(scripted, people, ceilings=(refunds_a_month("30", per=Per.ALL),))
    await scripted.give(people, [refund("10.00")], [words()])
    assert [call.status for call in await scripted.calls(people.company, "refund_order")] == ["uncertain", "refused"]

    async with scripted.web.tenant(people.company) as session:
        how = Settlement.DID_NOT_HAPPEN
        await settle(session, unknown.call_id, how, by=people.nadia.member, operation=new_id())
    assert await used(scripted, people) == [0]


async def test_the_totals_of_two_orders_and_of_two_customers_are_apart(scripted: Scripted, people: Cast) -> None:
    await change(scripted, people, ceilings=(refunds_a_month("10", per=Per.CORRESPONDENT),))
    await scripted.give(people, [refund("10.00")], [words()])
    async with scripted.web.tenant(people.company) as session:
        from app.conversations.say import give_task
        from tests.scripted import script

        text = script([refund("10.00")], [words()]).replace("MC-1042", "MC-1043")
        await give_task(session, people.camille, text, by=people.nadia.member, operation=new_id())
    await scripted.work()
    assert [call.status for call in await scripted.calls(people.company)] == ["asking", "asking"]
    assert await used(scripted, people) == [10, 10]
