"""A trial: until when, what was asked during it, and that a person ends it or lets it go on."""

from datetime import UTC, datetime, timedelta

import pytest

from app.policy.decision import Mode
from tests.scripted import mail, refund, words
from tests.sheets import change, rewrite_agent
from tests.web.conftest import hidden_fields

YESTERDAY = datetime.now(UTC) - timedelta(days=1)


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def page(people) -> str:
    return f"/employees/{people.camille}/trial"


async def test_a_trial_that_is_over_is_a_question_in_the_inbox_and_counts(browse, world, people, page) -> None:
    async with browse(people.nadia) as browser:
        assert "Nothing waits for you" in (await browser.get("/inbox")).text
        await rewrite_agent(world, people, trial_ends_at=YESTERDAY)
        inbox = (await browser.get("/inbox")).text
        assert "The trial of Camille is over" in inbox and "Nothing has loosened" in inbox and page in inbox
        assert "its last day is over" in (await browser.get(f"/employees/{people.camille}")).text
        assert "1 question waits for you" in inbox and '<span class="count">1<' in inbox
    async with browse(people.lea) as browser:
        inbox = (await browser.get("/inbox")).text
        assert "The trial of Camille is over" not in inbox and 'class="count"' not in inbox


async def test_the_page_says_what_was_asked_and_what_the_end_would_change(browse, scripted, people, page) -> None:
    await change(scripted, people, tools={"send_reply": Mode.TELL})
    await scripted.give(people, [mail(), refund()], [words()])
    for request, call in await scripted.pending(people.company):
        await scripted.answer(people.nadia, request.id, "approve" if call.tool == "send_reply" else "reject")
    async with browse(people.nadia) as browser:
        text = plain((await browser.get(page)).text)
    changes, asked = text.index("What changes if you end the trial"), text.index("What it asked since it was hired")
    assert "Send a mail, as long as nothing from outside was read: " in text[changes:asked]
    assert "does it and reports" in text[changes:asked] and "Refund an order" not in text[changes:asked]
    assert "asked once, approved: 1" in text and "asked once, rejected: 1" in text
    assert "Refund €10.00" in text[text.index("not a plain yes") :]


async def test_ended_by_the_manager_nothing_says_trial_any_more(browse, world, people, page, submit) -> None:
    await rewrite_agent(world, people, trial_ends_at=YESTERDAY)
    async with browse(people.nadia) as browser:
        answer = await submit(browser, page, f"{page}/end")
        employee = (await browser.get(answer.headers["location"])).text
        assert "The trial of Camille has ended" in employee and "On trial" not in employee
        assert "The trial has ended." in (await browser.get(page)).text
        assert "is over" not in (await browser.get("/inbox")).text


async def test_it_can_go_on_until_a_day_or_until_somebody_says_so(browse, people, page, submit) -> None:
    async with browse(people.nadia) as browser:
        assert "until somebody says so" in (await browser.get(f"/employees/{people.camille}")).text
        answer = await submit(browser, page, f"{page}/extend", until="day", last_day="2099-12-31")
        assert "until 31 Dec 2099" in (await browser.get(answer.headers["location"])).text
        answer = await submit(browser, page, f"{page}/extend", until="open", last_day="")
        assert "until somebody says so" in (await browser.get(answer.headers["location"])).text


@pytest.mark.parametrize("written", ["", "soon", "2020-01-01"])
async def test_a_day_that_does_not_fit_says_so_at_its_field(browse, people, page, submit, written) -> None:
    async with browse(people.nadia) as browser:
        answer = await submit(browser, page, f"{page}/extend", until="day", last_day=written)
    assert answer.status_code == 422
    assert 'id="last_day-error"' in answer.text and f'value="{written}"' in answer.text


async def test_a_trial_that_somebody_else_ended_meanwhile_is_not_begun_again(browse, people, page, submit) -> None:
    async with browse(people.nadia) as browser:
        form = hidden_fields((await browser.get(page)).text, f"{page}/extend")
        await submit(browser, page, f"{page}/end")
        answer = await browser.post(f"{page}/extend", data={**form, "until": "open"})
        employee = (await browser.get(answer.headers["location"])).text
    assert "Its trial has ended already." in employee and "On trial" not in employee


async def test_a_colleague_sees_that_it_is_on_trial_and_not_how_it_went(browse, people, page) -> None:
    async with browse(people.lea) as browser:
        employee = (await browser.get(f"/employees/{people.camille}")).text
        assert "until somebody says so" in employee and page not in employee
        assert (await browser.get(page)).status_code == 403
    async with browse(people.rita) as browser:
        assert (await browser.get(page)).status_code == 404
