"""Who may answer a request, what may be changed, and when a yes no longer makes sense."""

import asyncio
from uuid import UUID

import pytest
from sqlalchemy import select

from app.approvals.answer import ChangeInvalid, NotYoursToDecide, TooLate
from app.approvals.models import Approval
from app.approvals.still_valid import NoLongerValid
from app.content import seal
from app.employees.models import Agent, AgentStatus
from app.employees.pause import pause, resume
from app.errors import NotFound
from app.identity.models import Role
from app.identity.roles import Member
from app.runs.cancel import cancel
from app.runs.claim import claim
from app.runs.finish import end
from app.runs.situation import look
from app.runs.states import End, RunStatus
from tests.people import Cast, Someone
from tests.scripted import Scripted, mail, refund, words


async def asked(world: Scripted, people: Cast) -> UUID:
    """Camille asks for a refund of 10 EUR."""
    await world.give(people, [refund()], [words()])
    ((request, _),) = await world.pending(people.company)
    return request.id


def other_manager(people: Cast) -> Someone:
    """A manager of the company whose employees are others."""
    nadia = people.nadia
    member = Member(nadia.tenant_id, nadia.user_id, nadia.name, Role.MANAGER, frozenset())
    return Someone(nadia.user_id, nadia.tenant_id, nadia.name, nadia.email, member)


async def test_a_manager_and_an_admin_decide(scripted: Scripted, people: Cast) -> None:
    for who in (people.nadia, people.omar):
        await scripted.answer(who, await asked(scripted, people), "approve")
        await scripted.work()
    assert [line.by_user for line in await scripted.journal(people, "approval.approved")] == [
        people.nadia.user_id,
        people.omar.user_id,
    ]


async def test_a_member_and_the_manager_of_another_employee_do_not(scripted: Scripted, people: Cast) -> None:
    request = await asked(scripted, people)
    for who in (people.lea, other_manager(people)):
        for verdict in ("approve", "reject"):
            with pytest.raises(NotYoursToDecide):
                await scripted.answer(who, request, verdict)
    assert len(await scripted.pending(people.company)) == 1


async def test_for_another_company_the_request_does_not_exist(scripted: Scripted, people: Cast) -> None:
    request = await asked(scripted, people)
    with pytest.raises(NotFound):
        await scripted.answer(people.rita, request, "approve")
    assert len(await scripted.pending(people.company)) == 1


async def test_changes_are_what_runs_and_the_model_is_told(scripted: Scripted, people: Cast) -> None:
    await scripted.answer(people.nadia, await asked(scripted, people), "approve", amount="7.50")
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "7.50"
    assert "Nadia approved it with changes; this was done: amount: '7.50'" in (await scripted.results(people))[0]
    assert len(await scripted.journal(people, "approval.changed")) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [("amount", "-1"), ("amount", "many"), ("amount", "1.234"), ("reason", ""), ("order", "MC-1043"), ("_why", "x")],
)
async def test_changes_that_do_not_fit_are_named_and_nothing_is_decided(
    scripted: Scripted, people: Cast, field: str, value: str
) -> None:
    """A bound argument cannot be changed by anybody: it is what the task is about."""
    request = await asked(scripted, people)
    with pytest.raises(ChangeInvalid) as caught:
        await scripted.answer(people.nadia, request, "approve", **{field: value})
    assert list(caught.value.fields) == [field]
    assert len(await scripted.pending(people.company)) == 1


async def set_status(world: Scripted, people: Cast, status: AgentStatus) -> None:
    async with world.owner.tenant(people.company) as session:
        (await session.get_one(Agent, (people.company, people.camille))).status = status


@pytest.mark.parametrize("change", ["agent_paused", "agent_dismissed", "run_ended", "policy_changed", "tool_gone"])
async def test_what_changed_meanwhile_is_said_instead_of_approving(
    scripted: Scripted, people: Cast, change: str
) -> None:
    """Case 18."""
    request = await asked(scripted, people)
    match change:
        case "agent_paused":
            await set_status(scripted, people, AgentStatus.PAUSED)
        case "agent_dismissed":
            await set_status(scripted, people, AgentStatus.DISMISSED)
        case "run_ended":
            async with scripted.web.tenant(people.company) as session:
                await cancel(session, (await scripted.run(people)).id, by=people.omar.member)
        case "policy_changed":
            await scripted.revise(people, tools={"refund_order": "never"})
        case "tool_gone":
            await scripted.revise(people, listed_tools=["read_mail"])
    with pytest.raises(NoLongerValid) as caught:
        await scripted.answer(people.nadia, request, "approve")
    assert caught.value.facts["why"] == change
    await scripted.answer(people.nadia, request, "reject")


async def test_a_closed_request_says_why_it_was_closed(scripted: Scripted, people: Cast) -> None:
    request = await asked(scripted, people)
    async with scripted.web.tenant(people.company) as session:
        await cancel(session, (await scripted.run(people)).id, by=people.omar.member)
    await scripted.work()
    for verdict in ("approve", "reject"):
        with pytest.raises(NoLongerValid) as caught:
            await scripted.answer(people.nadia, request, verdict)
        assert caught.value.facts["why"] == "run_ended"


async def test_the_comment_is_content_and_stays_out_of_the_journal(scripted: Scripted, people: Cast) -> None:
    request = await asked(scripted, people)
    await scripted.answer(people.nadia, request, "reject", "  ask her for a photo first ")
    async with scripted.web.tenant(people.company) as session:
        kept = (await session.scalars(select(Approval).where(Approval.id == request))).one()
        assert kept.comment_id is not None
        assert await seal.read(session, kept.comment_id) == "ask her for a photo first"
    assert all("photo" not in str(line.facts) for line in await scripted.journal(people))


async def test_answering_while_the_task_ends_leaves_nobody_waiting_in_a_circle(
    scripted: Scripted, people: Cast
) -> None:
    """Fault DB4: the answer and the worker lock the same rows, in one order."""
    request = await asked(scripted, people)
    await scripted.due_now(people)
    (lease,) = [one for one in await claim(scripted.worker, 50) if one.tenant_id == people.company]
    async with lease.step() as (session, run):
        answering = asyncio.create_task(scripted.answer(people.nadia, request, "approve"))
        await asyncio.sleep(0.2)
        await end(session, await look(session, run), End.TOO_OLD)
    with pytest.raises((NoLongerValid, TooLate)):
        await answering
    assert (await scripted.run(people)).status is RunStatus.STOPPED


async def test_a_yes_that_comes_while_the_worker_goes_to_wait_is_not_slept_over(
    scripted: Scripted, people: Cast
) -> None:
    """Promise 13: between looking and waiting nothing is lost."""
    from tests.moments import at

    await scripted.give(people, [refund(), mail()], [words()])
    (first, _), (second, _) = await scripted.pending(people.company)
    answering: list[asyncio.Task[None]] = []

    async def meanwhile() -> None:
        answering.append(asyncio.create_task(scripted.answer(people.omar, second.id, "approve")))
        await asyncio.sleep(0.2)

    await scripted.answer(people.nadia, first.id, "approve")
    with at("before_wait", meanwhile):
        await scripted.step()
    await asyncio.gather(*answering)
    await scripted.work()
    assert (await scripted.run(people)).status is RunStatus.DONE and scripted.sent() == 1


async def test_letting_go_on_while_the_worker_goes_to_wait_is_not_slept_over(scripted: Scripted, people: Cast) -> None:
    from tests.moments import at

    async with scripted.web.tenant(people.company) as session:
        await pause(session, people.camille, by=people.nadia.member)
    resuming: list[asyncio.Task[None]] = []

    async def go_on() -> None:
        async with scripted.web.tenant(people.company) as session:
            await resume(session, people.camille, by=people.nadia.member)

    async def meanwhile() -> None:
        resuming.append(asyncio.create_task(go_on()))
        await asyncio.sleep(0.2)

    with at("before_wait", meanwhile):
        await scripted.give(people, [words()])
    await asyncio.gather(*resuming)
    await scripted.work()
    assert (await scripted.run(people)).status is RunStatus.DONE
