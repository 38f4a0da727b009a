""" "Always in this conversation": offered where it helps, for calls to come, until it ends or is taken back."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from sqlalchemy import func, select, update

from app.approvals.always import NotOffered, Width, offered
from app.approvals.answer import Answer, Verdict, answer
from app.approvals.grants import grants_in, grants_of, revoke
from app.approvals.models import Grant
from app.content.models import Content
from app.errors import NotAllowed, NotFound
from app.identity.models import Membership, Role
from app.ids import new_id
from tests.people import Cast, Someone
from tests.scripted import Scripted, mail, read, words
from tests.sheets import past_trial


async def yes(world: Scripted, who: Someone, request: UUID, always: Width | None) -> None:
    async with world.web.tenant(who.tenant_id) as session:
        given = Answer(Verdict.APPROVE, always=always)
        await answer(session, request, given, by=who.member, operation=new_id())


async def granted(world: Scripted, people: Cast, width: Width = Width.NARROW) -> UUID:
    """A mail was asked about and allowed for its conversation (given back); a second one is to come."""
    await past_trial(world, people)
    conversation = await world.give(people, [mail("First.")], [mail("Second, another.")], [words()])
    ((request, _),) = await world.pending(people.company)
    await yes(world, people.nadia, request.id, width)
    return conversation


async def offers(world: Scripted, who: Someone, request: UUID) -> list[str]:
    async with world.web.tenant(who.tenant_id) as session:
        return [one.width for one in await offered(session, request, by=who.member)]


@pytest.mark.parametrize("width", Width)
async def test_the_next_call_goes_ahead_and_names_the_grant(scripted: Scripted, people: Cast, width: Width) -> None:
    conversation = await granted(scripted, people, width)
    await scripted.work()

    assert len(scripted.mailbox.mails()) == 2
    async with scripted.web.tenant(people.company) as session:
        (grant,) = await grants_in(session, conversation, by=people.nadia.member)
    assert (grant.tool, grant.wide, grant.given_by) == ("send_reply", width is Width.WIDE, people.nadia.user_id)
    assert (await scripted.calls(people.company))[1].trail[-1]["note"] == {"grant": str(grant.id)}
    assert len(await scripted.journal(people, "grant.given")) == 1


async def test_what_waits_already_keeps_waiting(scripted: Scripted, people: Cast) -> None:
    """Case 14: three queued calls, always on the first."""
    await past_trial(scripted, people)
    await scripted.give(people, [mail("One."), mail("Two, another."), mail("Three, a third.")], [words()])
    first = (await scripted.pending(people.company))[0][0]
    await yes(scripted, people.nadia, first.id, Width.WIDE)
    await scripted.work()

    assert len(scripted.mailbox.mails()) == 1
    assert len(await scripted.pending(people.company)) == 2


async def test_it_is_not_offered_on_trial_nor_after_outside_content_nor_to_a_member(
    scripted: Scripted, people: Cast
) -> None:
    await scripted.give(people, [mail("On trial.")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    assert await offers(scripted, people.nadia, request.id) == []
    with pytest.raises(NotOffered):
        await yes(scripted, people.nadia, request.id, Width.NARROW)
    await past_trial(scripted, people)
    assert await offers(scripted, people.nadia, request.id) == ["narrow", "wide"]
    assert await offers(scripted, people.lea, request.id) == []

    await scripted.give(people, [read("lookup_order", order_number="MC-1042")], [mail("Then.")], [words()])
    later = (await scripted.pending(people.company))[1][0]
    assert await offers(scripted, people.nadia, later.id) == []


async def test_taken_back_the_next_call_asks(scripted: Scripted, people: Cast) -> None:
    conversation = await granted(scripted, people)
    async with scripted.web.tenant(people.company) as session:
        (grant,) = await grants_of(session, people.camille, by=people.omar.member)
        with pytest.raises(NotAllowed):
            await revoke(session, grant.id, by=people.lea.member)
        for _ in range(2):
            await revoke(session, grant.id, by=people.omar.member)
        assert await grants_in(session, conversation, by=people.nadia.member) == []
    async with scripted.web.tenant(people.ritas_company) as session:
        with pytest.raises(NotFound):
            await revoke(session, grant.id, by=people.rita.member)
    await scripted.work()
    assert len(await scripted.pending(people.company)) == 1
    assert len(await scripted.journal(people, "grant.revoked")) == 1


async def _expired(world: Scripted, people: Cast) -> None:
    async with world.owner.tenant(people.company) as session:
        await session.execute(update(Grant).values(expires_at=func.clock_timestamp()))


async def _demoted(world: Scripted, people: Cast) -> None:
    async with world.owner.tenant(people.company) as session:
        await session.execute(
            update(Membership).where(Membership.user_id == people.nadia.user_id).values(role=Role.MEMBER)
        )


async def _erased(world: Scripted, people: Cast) -> None:
    """What the grant fixed is gone: it must not become the wide one."""
    async with world.owner.tenant(people.company) as session:
        scope = (await session.scalars(select(Grant.scope_id))).one()
        await session.delete(await session.get_one(Content, (people.company, scope)))


@pytest.mark.parametrize("happens", [_expired, _demoted, _erased])
async def test_it_ends_after_a_day_with_the_rights_of_its_giver_and_with_what_it_fixed(
    scripted: Scripted, people: Cast, happens: Callable[[Scripted, Cast], Awaitable[None]]
) -> None:
    """The approved mail itself may go where its giver still decides; the next one always asks."""
    await granted(scripted, people)
    await happens(scripted, people)
    await scripted.work()

    assert len(scripted.mailbox.mails()) <= 1
    assert len(await scripted.pending(people.company)) == 1


async def test_a_no_carries_no_always(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people)
    await scripted.give(people, [mail()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    async with scripted.web.tenant(people.company) as session:
        given = Answer(Verdict.REJECT, always=Width.WIDE)
        with pytest.raises(NotOffered):
            await answer(session, request.id, given, by=people.nadia.member, operation=new_id())
