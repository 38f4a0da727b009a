"""Rule 3: what a company forbids holds for every employee, on every page, and until something happens."""

import pytest

from app.employees.company_limits import FloorInvalid, floors_of, set_floors
from app.employees.preview import preview
from app.employees.queries import get_employee, get_sheet, matrix
from app.employees.versions import version_of
from app.errors import NotAllowed
from app.ids import new_id
from app.policy.decision import Kind, Mode
from app.runs.states import CallStatus
from tests.people import Cast, Someone
from tests.scripted import Scripted, mail, read, words
from tests.sheets import FREELY, past_trial

NO_ACTING = {Kind.ACT: Mode.NEVER}
ASKING = {Kind.ACT: Mode.ASK, Kind.DRAFT: Mode.ASK}


async def limit(world: Scripted, who: Someone, floors: dict[Kind, Mode]) -> None:
    async with world.web.tenant(who.tenant_id) as session:
        await set_floors(session, floors, by=who.member, operation=new_id())


async def modes(world: Scripted, people: Cast) -> dict[str, Mode]:
    async with world.web.tenant(people.company) as session:
        employee = await get_employee(session, people.camille)
        return {row.tool: row.start.mode for row in matrix(employee, await get_sheet(session, employee))}


async def test_a_sheet_that_lets_it_act_alone_asks_where_the_company_wants_to_be_asked(
    scripted: Scripted, people: Cast
) -> None:
    await past_trial(scripted, people, kinds=FREELY)
    assert (await modes(scripted, people))["send_reply"] < Mode.ASK
    await limit(scripted, people.omar, ASKING)
    found = await modes(scripted, people)
    assert found["send_reply"] is found["refund_order"] is found["save_draft"] is Mode.ASK

    await scripted.give(people, [mail()], [words()])
    assert len(await scripted.pending(people.company)) == 1 and scripted.sent() == 0


async def test_what_no_employee_may_do_is_not_there_and_refused_all_the_same(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people, kinds=FREELY)
    await limit(scripted, people.omar, NO_ACTING)
    await scripted.give(people, [mail()], [words()])
    (call,) = await scripted.calls(people.company, "send_reply")
    assert call.status is CallStatus.FAILED and scripted.sent() == 0
    assert "send_reply" not in (await scripted.results(people))[0].partition("There are:")[2]


async def test_a_yes_no_longer_holds_once_the_company_forbids_it(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [read("search_catalogue", query="tea"), mail()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "approve")
    await limit(scripted, people.omar, NO_ACTING)
    await scripted.work()
    (call,) = await scripted.calls(people.company, "send_reply")
    assert call.refused_by == "policy:limits" and scripted.sent() == 0


async def test_the_preview_of_a_sheet_knows_it(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people, kinds=FREELY)
    await limit(scripted, people.omar, NO_ACTING)
    async with scripted.web.tenant(people.company) as session:
        draft = (await version_of(session, people.camille)).draft
        then = (await preview(session, people.camille, draft, by=people.nadia.member)).then
    assert {row.tool: row.start.mode for row in then}["refund_order"] is Mode.NEVER


async def test_another_company_is_not_bound_by_it(scripted: Scripted, people: Cast) -> None:
    await limit(scripted, people.omar, NO_ACTING)
    async with scripted.web.tenant(people.ritas_company) as session:
        assert await floors_of(session) == {}


@pytest.mark.parametrize("who", ["nadia", "lea"])
async def test_only_an_administrator_sets_it(scripted: Scripted, people: Cast, who: str) -> None:
    with pytest.raises(NotAllowed):
        await limit(scripted, getattr(people, who), NO_ACTING)


@pytest.mark.parametrize("floors", [{Kind.READ: Mode.NEVER}, {Kind.DELETE: Mode.ASK}, {Kind.ACT: Mode.DO}])
async def test_what_is_no_choice_is_refused(scripted: Scripted, people: Cast, floors: dict[Kind, Mode]) -> None:
    with pytest.raises(FloorInvalid):
        await limit(scripted, people.omar, floors)


async def test_the_journal_says_who_and_what_and_nothing_twice(scripted: Scripted, people: Cast) -> None:
    await limit(scripted, people.omar, NO_ACTING)
    await limit(scripted, people.omar, NO_ACTING)
    (line,) = await scripted.journal(people, "limits.changed")
    assert (line.by_user, line.facts) == (people.omar.user_id, {"act": "never"})
