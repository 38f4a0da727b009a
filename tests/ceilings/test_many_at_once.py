"""R12 in small: fifty tasks at once never pass a ceiling; the mail server and the shop are the judges."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, fields, replace

import pytest

from app.ceilings.ceiling import Per
from app.conversations.say import give_task
from app.database.engine import DatabaseRole, role_url
from app.database.transaction import Database
from app.ids import new_id
from app.runs.claim import claim
from app.runs.loop import advance
from app.settings import Settings
from tests.people import Cast
from tests.scripted import Line, Scripted, mail, refund, script, words
from tests.sheets import FREELY, change, mails_a_day, past_trial, refunds_a_month

TASKS = 50
HANDS = 16


@dataclass
class Crowd(Scripted):
    """The same world with hands for as many tasks at once as a worker has."""

    async def step(self) -> int:
        leases = await claim(self.worker, HANDS)
        await asyncio.gather(*(advance(lease, self.house) for lease in leases))
        return len(leases)


@pytest.fixture
async def crowd(scripted: Scripted, settings: Settings) -> AsyncIterator[Crowd]:
    """Fifty tasks at once, and a database that lets them."""
    url = role_url(settings.database_url, DatabaseRole.WORKER, settings.app_secret)
    database = Database(url, settings.app_secret, pool_size=HANDS + 6)
    parts = {field.name: getattr(scripted, field.name) for field in fields(scripted)}
    yield Crowd(**{**parts, "worker": database, "house": replace(scripted.house, database=database)})
    await database.close()


async def give_many(world: Scripted, people: Cast, line: Line, *, tasks: int) -> None:
    for place in range(tasks):
        async with world.web.tenant(people.company) as session:
            text = script([line], [words()]).replace("PLACE", str(place))
            await give_task(session, people.camille, text, by=people.nadia.member, operation=new_id())


@pytest.mark.thorough
async def test_twenty_mails_a_day_are_twenty_mails(crowd: Crowd, people: Cast) -> None:
    await past_trial(crowd, people, kinds=FREELY, ceilings=(mails_a_day(20),))
    await give_many(crowd, people, mail("Dear Emma, this is letter PLACE."), tasks=TASKS)
    await crowd.work()

    assert len(crowd.mailbox.mails()) == 20
    refused = [call for call in await crowd.calls(people.company) if call.refused_by == "policy:ceiling"]
    assert len(refused) == TASKS - 20


async def test_what_is_refunded_on_one_order_stays_under_its_ceiling_whoever_approves_how_fast(
    crowd: Crowd, people: Cast
) -> None:
    await change(crowd, people, ceilings=(refunds_a_month("5.00", per=Per.ALL),))
    await give_many(crowd, people, refund("0.30", "Reason PLACE."), tasks=20)
    await crowd.work()
    waiting = await crowd.pending(people.company)
    assert len(waiting) == 16

    await asyncio.gather(*(crowd.answer(people.nadia, request.id, "approve") for request, _ in waiting))
    await crowd.work()
    assert await crowd.refunded("MC-1042") == "4.80"
