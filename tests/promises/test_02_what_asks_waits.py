"""Promise 2: what asks runs only after a yes to these exact arguments, and only if the rules still allow it."""

from datetime import timedelta

from sqlalchemy import func

from app.approvals.models import Approval, ApprovalStatus
from app.identity.models import Membership, Role
from app.runs.models import ToolCall
from app.runs.states import CallStatus
from tests.people import Cast
from tests.scripted import Scripted, refund, words

MORE = {"amount": "49.00", "reason": "One cup arrived broken.", "order": "MC-1042"}


async def approved(world: Scripted, people: Cast) -> tuple[Approval, ToolCall]:
    """Nadia has said yes to a refund of 10 EUR; no worker has taken it up yet."""
    await world.give(people, [refund()], [words()])
    ((request, call),) = await world.pending(people.company)
    await world.answer(people.nadia, request.id, "approve")
    return request, call


async def why_withdrawn(world: Scripted, people: Cast) -> list[str]:
    return [line.facts["why"] for line in await world.journal(people, "approval.withdrawn")]


async def test_nothing_happens_until_a_person_says_yes(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    for _ in range(3):
        await scripted.due_now(people)
        await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert len(await scripted.pending(people.company)) == 1


async def test_arguments_changed_in_the_call_are_asked_again(scripted: Scripted, people: Cast) -> None:
    """Case 2: what the person saw is not what would run."""
    _, call = await approved(scripted, people)
    await scripted.tamper(call, MORE)
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert await why_withdrawn(scripted, people) == ["arguments_changed"]
    assert len(await scripted.pending(people.company)) == 1


async def test_arguments_changed_in_the_request_are_asked_again(scripted: Scripted, people: Cast) -> None:
    request, _ = await approved(scripted, people)
    await scripted.tamper(request, MORE)
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert await why_withdrawn(scripted, people) == ["arguments_changed"]


async def test_arguments_changed_in_both_do_not_match_the_hash(scripted: Scripted, people: Cast) -> None:
    request, call = await approved(scripted, people)
    await scripted.tamper(request, MORE)
    await scripted.tamper(call, MORE)
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert await why_withdrawn(scripted, people) == ["arguments_changed"]


async def test_the_tool_of_the_call_cannot_be_swapped_under_the_same_arguments(
    scripted: Scripted, people: Cast
) -> None:
    _, call = await approved(scripted, people)
    await scripted.rewrite(call, tool="tell_manager")
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert await scripted.journal(people, "call.done") == []


async def test_what_was_asked_again_runs_as_it_was_shown_the_second_time(scripted: Scripted, people: Cast) -> None:
    _, call = await approved(scripted, people)
    await scripted.tamper(call, MORE)
    await scripted.work()
    ((again, _),) = await scripted.pending(people.company)
    await scripted.answer(people.omar, again.id, "approve")
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "49.00"


async def test_a_job_sheet_that_forbids_it_meanwhile_wins_over_the_yes(scripted: Scripted, people: Cast) -> None:
    await approved(scripted, people)
    await scripted.revise(people, tools={"refund_order": "never"})
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert await why_withdrawn(scripted, people) == ["policy_changed"]
    assert (await scripted.one(people, "refund_order")).refused_by == "policy:job_sheet"


async def test_a_yes_of_somebody_who_may_no_longer_decide_is_asked_again(scripted: Scripted, people: Cast) -> None:
    """Case 18: the approver was demoted while the yes lay there."""
    await approved(scripted, people)
    async with scripted.owner.tenant(people.company) as session:
        await session.execute(
            Membership.__table__.update()
            .where(Membership.user_id == people.nadia.user_id)
            .values(role=Role.MEMBER.value)
        )
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert await why_withdrawn(scripted, people) == ["approver_changed"]


async def test_a_yes_older_than_a_day_is_asked_again(scripted: Scripted, people: Cast) -> None:
    request, _ = await approved(scripted, people)
    await scripted.rewrite(request, decided_at=func.clock_timestamp() - timedelta(hours=25))
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert await why_withdrawn(scripted, people) == ["too_late_to_run"]
    ((again, _),) = await scripted.pending(people.company)
    assert again.status is ApprovalStatus.PENDING


async def test_a_call_set_to_ready_by_hand_is_decided_again_before_it_runs(scripted: Scripted, people: Cast) -> None:
    """Case 1: one place executes, and it decides by what is so then."""
    await scripted.give(people, [refund()], [words()])
    ((request, call),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "reject", "no")
    await scripted.work()
    await scripted.rewrite(call, status=CallStatus.READY, result_id=None)
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
