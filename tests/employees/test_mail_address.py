"""The operator gives an employee an address: mail to it is its work, and no company's mail becomes another's."""

import pytest
from sqlalchemy import select

from app.audit.models import Entry
from app.conversations.arrive import arrive
from app.database.transaction import Database
from app.demo.mails import broken_cup
from app.employees.hire import hire
from app.employees.mail_address import AddressTaken, CompanyUnknown, NobodyOfThisName, give_address
from app.employees.models import MailAddress
from app.identity.address import AddressUnsuitable
from app.runs.models import Run
from tests.people import Cast


def address_of(people: Cast) -> str:
    return f"orders.{people.company.hex[-12:]}@maison-colibri.example"


async def given(owner: Database, people: Cast, **other: str) -> str:
    wanted = {"address": address_of(people), "employee": "Camille", "company_of": people.omar.email, **other}
    async with owner.unbound() as session:
        return await give_address(
            session, wanted["address"], employee=wanted["employee"], company_of=wanted["company_of"]
        )


async def addresses(web: Database, people: Cast) -> list[tuple[str, object]]:
    async with web.tenant(people.company) as session:
        return [(one.address, one.agent_id) for one in await session.scalars(select(MailAddress))]


async def test_mail_to_it_is_the_employees_work_however_it_is_written(owner, web, worker, people):
    assert not await arrive(worker, broken_cup().as_bytes(), to=address_of(people))
    assert await given(owner, people, address=f" {address_of(people).upper()} ", employee="camille") == address_of(
        people
    )
    assert await arrive(worker, broken_cup().as_bytes(), to=address_of(people))
    async with web.tenant(people.company) as session:
        assert [run.agent_id for run in await session.scalars(select(Run))] == [people.camille]


async def test_given_twice_it_is_given_once_and_the_journal_says_it_once(owner, web, people):
    for _ in range(2):
        await given(owner, people)
    assert await addresses(web, people) == [(address_of(people), people.camille)]
    async with web.tenant(people.company) as session:
        said = await session.scalars(select(Entry).where(Entry.event == "employee.reachable"))
        assert [line.agent_id for line in said] == [people.camille]


async def test_its_page_says_where_mail_reaches_it_or_who_can_give_it_an_address(owner, people, browse):
    here = f"/employees/{people.camille}"
    async with browse(people.nadia) as browser:
        assert "None yet. Whoever looks after Placet can give it one." in (await browser.get(here)).text
        await given(owner, people)
        page = (await browser.get(here)).text.replace("<wbr>", "")
    assert address_of(people) in page and "None yet. Whoever" not in page


async def test_it_moves_to_a_colleague(owner, web, people):
    await given(owner, people)
    async with owner.tenant(people.company) as session:
        hired = await hire(
            session,
            "customer_service",
            name="Noé",
            by=people.omar.user_id,
            managers=[people.nadia.user_id],
            language="en",
        )
    await given(owner, people, employee="Noé")
    assert await addresses(web, people) == [(address_of(people), hired.id)]


async def test_what_another_company_has_stays_there(owner, web, people):
    await given(owner, people)
    with pytest.raises(AddressTaken):
        await given(owner, people, employee="Robin", company_of=people.rita.email)
    assert await addresses(web, people) == [(address_of(people), people.camille)]


@pytest.mark.parametrize(
    ("other", "refused"),
    [
        ({"address": "orders"}, AddressUnsuitable),
        ({"employee": "Robin"}, NobodyOfThisName),  # she works for rita
        ({"company_of": "nobody@example.org"}, CompanyUnknown),
    ],
)
async def test_what_cannot_be_meant_is_refused_and_nothing_is_kept(owner, web, people, other, refused):
    with pytest.raises(refused):
        await given(owner, people, **other)
    assert await addresses(web, people) == []
