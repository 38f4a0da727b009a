"""The main job, as a manager would tell it: a mail arrives, Camille asks, a person decides, the mail goes out."""

from app.demo.mails import broken_cup, late_parcel, someone_else_s_order
from app.runs.states import RunStatus
from tests.people import Cast
from tests.world import World


async def test_the_broken_cup_is_answered_and_refunded_once_a_person_says_yes(world: World, people: Cast) -> None:
    await world.mail(people, broken_cup())
    await world.work()
    waiting = {call.tool: approval for approval, call in await world.pending(people.company)}
    assert set(waiting) == {"send_reply", "refund_order"}
    assert world.mailbox.mails() == [] and await world.refunded("MC-1042") == "0.00"

    await world.answer(people.nadia, waiting["refund_order"].id, "approve")
    await world.answer(people.omar, waiting["send_reply"].id, "approve")
    await world.work()

    (sent,) = world.mailbox.mails()
    assert "emma.walsh@example.com" in str(sent)
    assert await world.refunded("MC-1042") == "24.50"
    (run,) = await world.runs(people.company)
    assert run.status is RunStatus.DONE


async def test_a_no_comes_back_to_the_model_which_proposes_something_else(world: World, people: Cast) -> None:
    await world.mail(people, broken_cup())
    await world.work()
    for approval, call in await world.pending(people.company):
        verdict = "reject" if call.tool == "refund_order" else "approve"
        await world.answer(people.nadia, approval.id, verdict, "offer a new cup instead" if verdict == "reject" else "")
    await world.work()

    assert await world.refunded("MC-1042") == "0.00"
    ((_, again),) = await world.pending(people.company)
    assert again.tool == "send_reply"


async def test_an_approval_with_changes_sends_what_the_person_wrote(world: World, people: Cast) -> None:
    await world.mail(people, late_parcel())
    await world.work()
    ((approval, _),) = await world.pending(people.company)

    await world.answer(people.nadia, approval.id, "approve", body="Bonjour Paul, votre colis arrive demain.")
    await world.work()

    (sent,) = world.mailbox.mails()
    assert "votre colis arrive demain" in str(sent)


async def test_a_stranger_learns_nothing_of_an_order_that_is_not_theirs(world: World, people: Cast) -> None:
    await world.mail(people, someone_else_s_order())
    await world.work()

    assert "refund_order" not in {call.tool for _, call in await world.pending(people.company)}
    (lookup,) = await world.calls(people.company, "lookup_order")
    assert lookup.is_error
