"""Who is reminded of a request: once, the right person, by a mail that survives a mail server that is down."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import delete, func, select

from app.approvals.models import Approval
from app.approvals.remind import remind
from app.demo.mailbox.faults import Fault, Moment
from app.demo.mails import broken_cup
from app.identity.models import AgentManager
from app.notifications.models import OutboxMail, OutboxStatus
from app.worker.sweeps import SWEEPS
from tests.people import Cast
from tests.scripted import Scripted, refund, with_model, words

A_MINUTE_AGO = func.clock_timestamp() - timedelta(minutes=1)


async def waiting(world: Scripted, people: Cast, **give: object) -> Approval:
    """A request that nobody has answered for five minutes."""
    await world.give(people, [refund()], [words()], **give)  # type: ignore[arg-type]  # only `by` is ever given
    ((request, _),) = await world.pending(people.company)
    await world.rewrite(request, remind_at=A_MINUTE_AGO)
    return request


async def sweep(world: Scripted, *names: str) -> None:
    for name in names:
        (one,) = [one for one in SWEEPS if one.name == name]
        await one.tick(world.house)


async def outbox(world: Scripted, people: Cast) -> list[OutboxMail]:
    async with world.web.tenant(people.company) as session:
        return list(await session.scalars(select(OutboxMail).where(OutboxMail.tenant_id == people.company)))


async def reminded(world: Scripted, people: Cast) -> set[UUID]:
    return {mail.user_id for mail in await outbox(world, people)}


async def test_after_five_minutes_one_reminder_is_sent_with_a_link(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    assert request.remind_at - request.asked_at == timedelta(minutes=5)
    await scripted.rewrite(request, remind_at=A_MINUTE_AGO)
    for _ in range(3):
        await sweep(scripted, "remind", "outbox")

    (mail,) = scripted.mailbox.mails()
    assert people.nadia.email in str(mail)
    assert len(await scripted.journal(people, "approval.reminded")) == 1
    assert len(await outbox(scripted, people)) == 1


async def test_ten_sweeps_at_once_prepare_one_reminder(scripted: Scripted, people: Cast) -> None:
    request = await waiting(scripted, people)

    async def once() -> bool:
        async with scripted.worker.tenant(people.company) as session:
            return await remind(session, request.id, scripted.house.settings)

    assert sum(await asyncio.gather(*(once() for _ in range(10)))) == 1
    assert len(await outbox(scripted, people)) == 1


async def test_it_goes_to_the_person_behind_the_task_if_they_may_decide(scripted: Scripted, people: Cast) -> None:
    await waiting(scripted, people, by=people.omar)
    await sweep(scripted, "remind")
    assert await reminded(scripted, people) == {people.omar.user_id}


async def test_else_to_the_managers(scripted: Scripted, people: Cast) -> None:
    await waiting(scripted, people, by=people.lea)
    await sweep(scripted, "remind")
    assert await reminded(scripted, people) == {people.nadia.user_id}


async def test_for_a_customer_s_mail_to_the_managers(scripted: Scripted, people: Cast) -> None:
    world = with_model(scripted, "practice-model")
    await world.mail(people, broken_cup())
    await world.work()
    for request, _ in await world.pending(people.company):
        await world.rewrite(request, remind_at=A_MINUTE_AGO)
    await sweep(world, "remind")
    assert await reminded(world, people) == {people.nadia.user_id}


async def test_to_the_admins_where_nobody_manages(scripted: Scripted, people: Cast) -> None:
    await waiting(scripted, people, by=people.lea)
    async with scripted.owner.tenant(people.company) as session:
        await session.execute(delete(AgentManager).where(AgentManager.tenant_id == people.company))
    await sweep(scripted, "remind")
    assert await reminded(scripted, people) == {people.omar.user_id}


@pytest.mark.parametrize("state", ["decided", "expired"])
async def test_nobody_is_reminded_of_what_can_no_longer_be_answered(
    scripted: Scripted, people: Cast, state: str
) -> None:
    request = await waiting(scripted, people)
    if state == "decided":
        await scripted.answer(people.omar, request.id, "reject")
    else:
        await scripted.rewrite(request, expires_at=A_MINUTE_AGO)
    async with scripted.worker.tenant(people.company) as session:
        assert not await remind(session, request.id, scripted.house.settings)
    assert await outbox(scripted, people) == []


async def test_it_survives_a_mail_server_that_is_down_under_one_message_id(scripted: Scripted, people: Cast) -> None:
    """Faults E1 and E3: refused, then taken with its confirmation lost, then taken: one Message-ID."""
    await waiting(scripted, people)
    await sweep(scripted, "remind")
    scripted.faults.plan(Fault(Moment.MAIL, reply="451 later"))
    scripted.faults.plan(Fault(Moment.DOT, drop=True))
    for attempt in range(1, 4):
        await sweep(scripted, "outbox", "outbox")
        (mail,) = await outbox(scripted, people)
        assert mail.attempts == attempt
        if mail.status is OutboxStatus.WAITING:
            await scripted.rewrite(mail, due_at=A_MINUTE_AGO)
    assert mail.status is OutboxStatus.SENT
    assert scripted.sent() == scripted.mailbox.times(mail.message_id) == 2
