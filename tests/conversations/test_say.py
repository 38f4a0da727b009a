"""Who speaks to an employee: the right person, the wrong one, somebody else's; and several at once."""

import asyncio

import pytest

from app.conversations.say import NothingSaid, give_task, say
from app.errors import NotAllowed, NotFound
from app.ids import new_id
from app.runs.states import RunStatus
from tests.people import Cast
from tests.scripted import Scripted, words


async def test_people_who_write_at_once_to_a_resting_conversation_share_one_task(
    scripted: Scripted, people: Cast
) -> None:
    conversation = await scripted.give(people)
    await asyncio.gather(*(scripted.say(people.nadia, conversation, f"Word {n}") for n in range(6)))
    await scripted.work()

    assert [run.status for run in await scripted.runs(people.company)] == [RunStatus.DONE] * 2
    assert (await scripted.asked_of_model())["requests"] == 2


async def test_words_said_while_workers_run_are_all_read(scripted: Scripted, people: Cast) -> None:
    conversation = await scripted.give(people)

    async def talk(number: int) -> None:
        await asyncio.sleep(number * 0.02)
        await scripted.say(people.nadia, conversation, f"Word {number}")

    await asyncio.gather(*(talk(n) for n in range(8)), *(scripted.work() for _ in range(3)))
    await scripted.work()

    assert {run.status for run in await scripted.runs(people.company)} == {RunStatus.DONE}
    assert await unread(scripted, people) == 0
    assert (await scripted.asked_of_model())["status_400"] == 0


async def unread(world: Scripted, people: Cast) -> int:
    from sqlalchemy import func, select

    from app.conversations.models import Message

    async with world.web.tenant(people.company) as session:
        waiting = select(func.count()).where(Message.for_model, Message.after_turn.is_(None))
        return int(await session.scalar(waiting.where(Message.tenant_id == people.company)) or 0)


async def test_the_same_form_sent_twice_is_one_task(scripted: Scripted, people: Cast) -> None:
    operation, given = new_id(), []
    for _ in range(2):
        async with scripted.web.tenant(people.company) as session:
            given.append(await give_task(session, people.camille, "Hello", by=people.nadia.member, operation=operation))
    assert given[0] == given[1] and len(await scripted.runs(people.company)) == 1


async def test_a_stranger_finds_no_such_conversation_and_a_colleague_may_not_write_in_it(
    scripted: Scripted, people: Cast
) -> None:
    conversation = await scripted.give(people, [words()])
    with pytest.raises(NotFound):
        await scripted.say(people.rita, conversation, "Hello")
    with pytest.raises(NotAllowed):
        await scripted.say(people.lea, conversation, "Hello")
    with pytest.raises(NothingSaid):
        await scripted.say(people.nadia, conversation, " \n ")
    async with scripted.web.tenant(people.ritas_company) as session:
        with pytest.raises(NotFound):
            await give_task(session, people.camille, "Hello", by=people.rita.member, operation=new_id())
    async with scripted.web.tenant(people.company) as session:
        with pytest.raises(NotFound):
            await say(session, conversation, "Hello", by=people.rita.member, operation=new_id())
