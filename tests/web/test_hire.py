"""Hiring: three steps of plain forms, nothing kept before the yes, and an employee on trial after it."""

from uuid import UUID

import httpx2
import pytest
from sqlalchemy import func, select

from app.connections.needed import Works
from app.employees.models import Agent
from app.employees.queries import employees
from app.web.tell.hire import WAITS
from tests.web.conftest import hidden_fields

HIRE = "/employees/hire"
BASILE = f"{HIRE}?template=catalogue"


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def filled(people) -> dict[str, object]:
    """What one would fill in."""
    return {
        "name": "Basile",
        "mission": "Keeps the catalogue right.",
        "managers": [str(people.nadia.user_id)],
        "until": "day",
        "last_day": "2099-12-31",
    }


async def send(browser: httpx2.AsyncClient, page: str, **fields: object) -> httpx2.Response:
    """Send the form of a page with its hidden fields; a field that is given counts instead."""
    return await browser.post(HIRE, data={**hidden_fields(page, HIRE), **fields})


async def how_many(web, tenant_id: UUID) -> int:
    async with web.tenant(tenant_id) as session:
        return int(await session.scalar(select(func.count()).select_from(Agent)) or 0)


async def test_whom_there_is_to_choose_says_what_works_today(browse, people) -> None:
    async with browse(people.omar) as browser:
        assert HIRE in (await browser.get("/employees")).text
        text = plain((await browser.get(HIRE)).text)
    assert "Customer service" in text and "Catalogue" in text
    assert (
        "Works today<" in text.replace(" <", "<") and "(once the shop is connected)" in text and "keep a draft" in text
    )


def test_whatever_is_missing_has_its_words() -> None:
    assert set(WAITS) == set(Works)


async def test_the_last_look_is_the_matrix_in_words_and_keeps_nothing(browse, people, web, filled) -> None:
    async with browse(people.omar) as browser:
        page = (await browser.get(BASILE)).text
        assert 'value="Basile"' in page and "nothing promised that is not so" in page
        answer = await send(browser, page, step="look", **filled)
    text = plain(answer.text)
    assert answer.status_code == 200 and "Hire Basile?" in text
    alone, asks, never = text.index("do alone"), text.index("ask you before it may"), text.index("never be able to")
    assert "read an article" in text[alone:asks]
    assert "change a price" in text[asks:never]
    assert "take an article out of the catalogue" in text[never:]
    assert "until 31 Dec 2099" in text and "Nadia" in text
    assert await how_many(web, people.company) == 1


async def test_the_yes_hires_once_on_trial_and_says_what_to_do_first(browse, people, web, filled) -> None:
    async with browse(people.omar) as browser:
        sure = (await send(browser, (await browser.get(BASILE)).text, step="look", **filled)).text
        fields = {**hidden_fields(sure, HIRE), "step": "hire"}
        answers = [await browser.post(HIRE, data=fields) for _ in range(2)]
        assert [one.status_code for one in answers] == [303, 303]
        assert answers[0].headers["location"] == answers[1].headers["location"]
        page = plain((await browser.get(answers[0].headers["location"])).text)
    assert "Basile is hired, on trial." in page and "until 31 Dec 2099" in page
    assert "First steps with Basile" in page and "Set the price of CUP-BLUE to 27.00." in page
    assert "Keeps the catalogue right." in page and "Nadia" in page
    async with web.tenant(people.company) as session:
        hired = [one for one in (await employees(session)).values() if one.name == "Basile"]
    assert [(one.template, one.on_trial) for one in hired] == [("catalogue", True)]


async def test_a_task_to_try_is_written_already(browse, people) -> None:
    async with browse(people.nadia) as browser:
        page = (await browser.get(f"/employees/{people.camille}?sample=1")).text
        assert "How many blue tea cups are left?</textarea>" in page
        assert (await browser.get(f"/employees/{people.camille}?sample=99")).status_code == 200


async def test_going_back_loses_nothing(browse, people, filled) -> None:
    async with browse(people.omar) as browser:
        written = {**filled, "name": "Ada & Co", "mission": "My words,\nin two lines."}
        sure = (await send(browser, (await browser.get(BASILE)).text, step="look", **written)).text
        assert "Hire Ada &amp; Co?" in sure
        page = (await browser.post(HIRE, data={**_all(sure), "step": "back"})).text
    assert 'value="Ada &amp; Co"' in page and "My words,\nin two lines.</textarea>" in page
    assert f'value="{people.nadia.user_id}" checked' in page and f'value="{people.omar.user_id}" checked' not in page
    assert 'value="2099-12-31"' in page


def _all(page: str) -> dict[str, str]:
    return {
        name: value.replace("&amp;", "&").replace("&#10;", "\n") for name, value in hidden_fields(page, HIRE).items()
    }


@pytest.mark.parametrize(
    ("wrong", "place", "sentence"),
    [
        ({"name": " "}, "name-error", "Give it a name of one line"),
        ({"name": "x" * 61}, "name-error", "Give it a name of one line"),
        ({"name": "cAmille"}, "name-error", "Somebody of this name works here already."),
        ({"mission": ""}, "mission-error", "Say in a few sentences what this employee is for."),
        ({"managers": []}, "managers-error", "Choose at least one person"),
        ({"managers": ["nobody"]}, "managers-error", "Choose at least one person"),
        ({"last_day": "2020-01-01"}, "last_day-error", "Choose a day from today on"),
        ({"last_day": "soon"}, "last_day-error", "Please choose a day from today on"),
    ],
)
async def test_what_does_not_fit_says_so_at_its_field(browse, people, web, filled, wrong, place, sentence) -> None:
    async with browse(people.omar) as browser:
        page = (await browser.get(BASILE)).text
        for step in ("look", "hire"):
            answer = await send(browser, page, step=step, **{**filled, **wrong})
            assert answer.status_code == 422
            assert f'id="{place}"' in answer.text and sentence in answer.text
            assert "Keeps the catalogue right." in answer.text or "mission" in wrong
    assert await how_many(web, people.company) == 1


async def test_a_member_manages_nobody(browse, people, filled) -> None:
    async with browse(people.omar) as browser:
        page = (await browser.get(BASILE)).text
        assert str(people.lea.user_id) not in page
        answer = await send(browser, page, step="look", **{**filled, "managers": [str(people.lea.user_id)]})
    assert answer.status_code == 422


async def test_only_who_may_hire_gets_there(browse, people, web, filled) -> None:
    async with browse(people.nadia) as browser:
        assert HIRE not in (await browser.get("/employees")).text
        assert (await browser.get(HIRE)).status_code == 403
        form = hidden_fields((await browser.get("/settings")).text, "/settings")
        answer = await browser.post(HIRE, data={**form, **filled, "template": "catalogue", "step": "hire"})
    assert answer.status_code == 403 and await how_many(web, people.company) == 1


async def test_a_kind_of_employee_that_does_not_exist_is_not_found(browse, people) -> None:
    async with browse(people.omar) as browser:
        assert (await browser.get(f"{HIRE}?template=pirate")).status_code == 404


async def test_who_is_hired_in_french_has_a_french_job_sheet(browse, people, submit, filled) -> None:
    async with browse(people.omar) as browser:
        await submit(browser, "/settings", "/settings", language="fr", zone="Europe/Paris")
        page = (await browser.get(BASILE)).text
        assert "Tient le catalogue de la boutique" in page
        sure = (await send(browser, page, step="look", **filled)).text
        answer = await browser.post(HIRE, data={**hidden_fields(sure, HIRE), "step": "hire"})
        sheet = (await browser.get(f"{answer.headers['location']}/job-sheet")).text
    assert "Vous travaillez pour vos collègues" in sheet
