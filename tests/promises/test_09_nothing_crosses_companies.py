"""Promise 9: what one company has, another neither sees, changes nor learns of, through every verb of the core."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.answer import Answer, Verdict, answer
from app.approvals.expire import expire
from app.approvals.remind import remind
from app.conversations.say import give_task, say
from app.database.base import Base
from app.errors import NotFound
from app.ids import new_id
from app.runs.cancel import cancel
from app.runs.settle import Settlement, settle
from app.worker.sweeps import SWEEPS
from tests.people import Cast, Someone
from tests.scripted import Scripted, refund, words

Verb = Callable[[AsyncSession, Someone, dict[str, UUID]], Awaitable[object]]
VERBS: dict[str, Verb] = {
    "approve": lambda s, by, ids: answer(s, ids["request"], Answer(Verdict.APPROVE), by=by.member, operation=new_id()),
    "reject": lambda s, by, ids: answer(s, ids["request"], Answer(Verdict.REJECT), by=by.member, operation=new_id()),
    "settle": lambda s, by, ids: settle(s, ids["call"], Settlement.HAPPENED, by=by.member, operation=new_id()),
    "cancel": lambda s, by, ids: cancel(s, ids["run"], by=by.member),
    "say": lambda s, by, ids: say(s, ids["conversation"], "Hello", by=by.member, operation=new_id()),
    "give": lambda s, by, ids: give_task(s, ids["employee"], "Hello", by=by.member, operation=new_id()),
}


async def asked(world: Scripted, people: Cast) -> dict[str, UUID]:
    """Camille has asked for something; the ids of all that belongs to it."""
    conversation = await world.give(people, [refund()], [words()])
    ((request, call),) = await world.pending(people.company)
    ids = {"request": request.id, "call": call.id, "run": call.run_id, "conversation": conversation}
    return {**ids, "employee": people.camille}


@pytest.mark.parametrize("verb", VERBS)
async def test_for_an_admin_of_another_company_a_foreign_id_is_as_unknown_as_a_made_up_one(
    scripted: Scripted, people: Cast, verb: str
) -> None:
    ids = await asked(scripted, people)
    made_up = dict.fromkeys(ids, new_id())
    for bound in (people.ritas_company, people.company):
        for some in (ids, made_up):
            async with scripted.web.tenant(bound) as session:
                with pytest.raises(NotFound) as caught:
                    await VERBS[verb](session, people.rita, some)
                assert caught.value.facts == {}
    assert len(await scripted.pending(people.company)) == 1
    assert len(await scripted.runs(people.company)) == 1 and await scripted.runs(people.ritas_company) == []


async def test_a_sweep_bound_to_another_company_does_nothing(scripted: Scripted, people: Cast) -> None:
    """Case 24: the database refuses too."""
    ids = await asked(scripted, people)
    ((request, _),) = await scripted.pending(people.company)
    await scripted.rewrite(request, expires_at=request.asked_at, remind_at=request.asked_at)
    async with scripted.worker.tenant(people.ritas_company) as session:
        assert not await expire(session, ids["request"])
        assert not await remind(session, ids["request"], scripted.house.settings)
    (sweep,) = [one for one in SWEEPS if one.name == "expire"]
    await sweep.tick(scripted.house)
    assert await scripted.pending(people.company) == []


@pytest.mark.parametrize("role", ["web", "worker"])
async def test_bound_to_another_company_no_table_shows_a_row_of_this_one(
    scripted: Scripted, people: Cast, role: str
) -> None:
    await asked(scripted, people)
    database = scripted.web if role == "web" else scripted.worker
    owned = [table for table in Base.metadata.sorted_tables if "tenant_id" in table.c]
    seen = 0
    async with database.tenant(people.company) as here, database.tenant(people.ritas_company) as there:
        for table in owned:
            find = select(table.c.tenant_id).where(table.c.tenant_id == people.company)
            try:
                async with here.begin_nested():
                    seen += len((await here.execute(find)).all())
                async with there.begin_nested():
                    assert (await there.execute(find)).all() == [], table.name
            except Exception as error:
                if "permission denied" not in str(error):
                    raise
    assert seen > 20


async def test_nothing_is_seen_where_no_company_is_bound(scripted: Scripted, people: Cast) -> None:
    await asked(scripted, people)
    for database in (scripted.web, scripted.worker):
        async with database.unbound() as session:
            for name in ("runs", "calls", "approvals", "content", "messages"):
                table = Base.metadata.tables[name]
                assert (await session.execute(select(table.c.tenant_id))).all() == []
