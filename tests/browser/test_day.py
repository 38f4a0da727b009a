"""A manager's whole day in front of the pages: in English at a desk, in French on a phone."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from app.demo.mails import broken_cup, late_parcel, someone_else_s_order
from app.runs.states import CallStatus
from tests.browser.conftest import Window
from tests.browser.day import Day
from tests.browser.window import Look
from tests.people import Cast
from tests.world import World

PICTURE = Path(__file__).resolve().parents[2] / "static" / "readme" / "inbox.png"
LARGEST_PICTURE = 150_000  # bytes
CHANGED = "Bonjour Paul, votre colis arrive demain. À bientôt, Camille"


DESK, PHONE = Look(1280, "en"), Look(390, "fr")


@pytest.fixture(params=[pytest.param(DESK, id="en-1280", marks=pytest.mark.thorough), pytest.param(PHONE, id="fr-390")])
async def day(request: pytest.FixtureRequest, window: Window, world: World, people: Cast) -> AsyncIterator[Day]:
    """The morning: three mails have come, Camille has looked at them."""
    for mail in (broken_cup(), late_parcel(), someone_else_s_order()):
        await world.mail(people, mail)
    await world.work()
    async with window(None, request.param) as page:
        yield Day(page, people.nadia, world, request.param.language)


async def test_a_manager_has_a_good_day(day: Day, people: Cast) -> None:
    await day.sign_in()
    await expect(day.page.locator("[data-list=mine] .card")).to_have_count(4)
    await day.keep("01-inbox")
    await _keep_the_picture(day)
    await _answers_in_the_three_ways(day)
    await _reads_what_camille_proposes_instead(day)
    await _looks_back(day)
    await _gives_a_task(day, people)
    await _pauses_and_lets_go_on(day, people)
    await _goes_home(day)


async def _answers_in_the_three_ways(day: Day) -> None:
    await day.open_request("emma.walsh")
    await day.keep("02-request")
    await day.approve()
    await day.keep("05-after-an-answer")
    await day.open_request("paul.mercier")
    await day.change(CHANGED)
    await day.open_request("24")
    await day.reject("offer a new cup instead")
    await day.the_world_goes_on()
    # What tests before this one left undone is done by this world too: only Maison Colibri's customers are looked at.
    sent = {mail.recipients[0]: mail.body for mail in day.world.mailbox.mails() if "example.org" not in mail.to}
    assert set(sent) == {"emma.walsh@example.com", "paul.mercier@example.fr"}
    assert CHANGED in sent["paul.mercier@example.fr"]
    assert [call.status for call in await day.world.calls(day.who.tenant_id, "refund_order")] == [CallStatus.REFUSED]


async def _reads_what_camille_proposes_instead(day: Day) -> None:
    await day.open_request("emma.walsh")
    await expect(day.page.locator("section[aria-labelledby=refused]")).to_contain_text("offer a new cup instead")
    await day.keep("06-proposed-instead")


async def _looks_back(day: Day) -> None:
    await day.page.goto("/journal")
    await day.keep("10-journal")
    await day.page.locator(".journal a", has_text="Nadia").last.click()  # her first answer of the day
    await expect(day.page.locator("#answered")).to_have_text(day.say("Approved"))
    await day.keep("11-answered")
    await day.link("See every step of this task").click()
    call = day.page.locator(".call[id]", has=day.page.locator("summary", has_text="@")).first
    await call.locator("summary").first.click()
    await expect(call.locator(".trail")).to_be_visible()
    await day.keep("12-task")
    await day.link("Go to the conversation").click()
    await expect(day.page.locator(".said--sent").first).to_be_visible()
    await day.keep("13-conversation")


async def _gives_a_task(day: Day, people: Cast) -> None:
    await day.link("Employees").click()
    await day.keep("20-employees")
    await day.page.goto(f"/employees/{people.camille}")
    await day.page.locator("textarea[name=text]").fill("What is the price of the tea cups?")
    await day.keep("21-employee")
    await day.button("Give this task").click()
    await day.page.wait_for_url("**/conversations/*")
    await day.the_world_goes_on()
    await day.page.reload()
    await expect(day.page.locator(".said--answer").last).to_be_visible()
    await day.keep("22-task-given")


async def _pauses_and_lets_go_on(day: Day, people: Cast) -> None:
    await day.page.goto(f"/employees/{people.camille}")
    await day.page.locator("form[action$='/pause'] button").first.click()
    await expect(day.page.locator("form[action$='/resume'] button").first).to_be_visible()
    await day.keep("23-paused")
    await day.page.locator("form[action$='/resume'] button").first.click()
    await expect(day.page.locator("form[action$='/pause'] button").first).to_be_visible()


async def _goes_home(day: Day) -> None:
    await day.page.locator(".menu summary").click()
    await day.button("Sign out").click()
    await day.page.wait_for_url("**/sign-in")
    await day.page.goto("/inbox")
    assert "/sign-in" in day.page.url


async def _keep_the_picture(day: Day) -> None:
    """The README's picture changes only when somebody wants it to: PLACET_README_PICTURE=1."""
    if day.language == "en" and os.environ.get("PLACET_README_PICTURE"):
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        await day.page.set_viewport_size({"width": 1280, "height": 640})
        await day.page.screenshot(path=PICTURE)


def test_the_picture_of_the_readme_is_there_and_light() -> None:
    assert 20_000 < PICTURE.stat().st_size < LARGEST_PICTURE
