"""What if two people, or one person twice, answer at the same moment? One answer counts, and is said kindly."""

import asyncio

import pytest
from playwright.async_api import expect
from sqlalchemy import delete

from app.identity.models import AgentManager
from tests.browser.conftest import Window
from tests.browser.day import ARMED_AFTER
from tests.browser.test_live import LISTENS
from tests.browser.window import Look
from tests.people import Cast


async def test_who_comes_second_is_told_who_and_when(window: Window, people: Cast, camille) -> None:
    pending = await camille.asks()
    async with window(people.nadia) as hers, window(people.omar, Look(1280)) as his:
        for page in (hers, his):
            await page.goto(f"/requests/{pending.id}")
        await asyncio.sleep(ARMED_AFTER)
        await hers.locator("button[value=approve]").click()
        await hers.wait_for_url("**/inbox")
        await his.locator("a[href='#reject']").click()
        await his.locator("button[value=reject]").click()
        told = his.locator("[data-piece=answered]")
        await expect(told).to_contain_text("Somebody answered a moment before you; your answer was not used.")
        await expect(told).to_contain_text("by Nadia, today")


@pytest.mark.thorough
async def test_an_open_request_says_that_it_was_answered_meanwhile(window: Window, people: Cast, camille) -> None:
    pending = await camille.asks()
    async with window(people.nadia) as hers, window(people.omar) as his:
        for page in (hers, his):
            await page.goto(f"/requests/{pending.id}")
        await asyncio.sleep(LISTENS)
        await hers.locator("button[value=approve]").click()
        await expect(his.locator("#news")).to_be_visible()
        await his.locator("#news a").click()
        await expect(his.locator("#answered")).to_have_text("Approved")


async def test_a_double_click_answers_once_and_not_the_next_one(window: Window, people: Cast, camille) -> None:
    first, second = await camille.asks(), await camille.asks("refund_order")
    async with window(people.nadia) as page:
        await page.goto(f"/requests/{first.id}")
        await asyncio.sleep(ARMED_AFTER)
        await page.locator("button[value=approve]").dblclick()
        await page.wait_for_url(f"**/requests/{second.id}")
        await page.locator("button[value=approve]").click()  # a tap that was meant for the page before
        await asyncio.sleep(0.3)
        assert page.url.endswith(str(second.id))
        await expect(page.locator("#decide")).to_be_attached()


@pytest.mark.thorough
async def test_the_back_button_shows_what_was_decided(window: Window, people: Cast, camille) -> None:
    pending = await camille.asks()
    async with window(people.nadia) as page:
        await page.goto(f"/requests/{pending.id}")
        await asyncio.sleep(ARMED_AFTER)
        await page.locator("button[value=approve]").click()
        await page.wait_for_url("**/inbox")
        await page.go_back()
        await expect(page.locator("#answered")).to_have_text("Approved")
        await expect(page.locator("#decide")).not_to_be_attached()


@pytest.mark.thorough
async def test_two_tabs_of_one_person_give_one_answer_and_no_reproach(window: Window, people: Cast, camille) -> None:
    pending = await camille.asks()
    async with window(people.nadia) as page:
        other = await page.context.new_page()
        for tab in (page, other):
            await tab.goto(f"/requests/{pending.id}")
        await asyncio.sleep(ARMED_AFTER)
        await page.locator("button[value=approve]").click()
        await page.wait_for_url("**/inbox")
        await other.locator("a[href='#reject']").click()
        await other.locator("button[value=reject]").click()
        await expect(other.locator("#answered")).to_have_text("Approved")
        await expect(other.locator("main")).not_to_contain_text("Somebody answered")


async def test_who_may_no_longer_decide_reads_who_can(window: Window, people: Cast, camille, owner) -> None:
    pending = await camille.asks()
    async with window(people.nadia) as page:
        await page.goto(f"/requests/{pending.id}")
        async with owner.tenant(people.company) as session:
            await session.execute(delete(AgentManager).where(AgentManager.user_id == people.nadia.user_id))
        await asyncio.sleep(ARMED_AFTER)
        async with page.expect_response(f"**/requests/{pending.id}/answer") as answered:
            await page.locator("button[value=approve]").click()
        assert (await answered.value).status == 403
        await expect(page.locator("main")).to_contain_text("Omar")
        await expect(page.locator("h1")).to_have_text("You may not do this")
