"""Can a decision be made with whatever somebody has? By keyboard alone, and in a browser that runs no script."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.day import ARMED_AFTER
from tests.browser.window import Look
from tests.people import Cast

DESK = Look(1280)
WITHOUT = Look(390, script=False)


async def tab_to(page: Page, words: str) -> None:
    """Press Tab until what is focused has these words, as somebody without a mouse does."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        if words in str(await page.evaluate("document.activeElement.textContent")):
            return
    raise AssertionError(f"Tab never comes to “{words}”")


async def outcome(page: Page, request: str) -> str:
    """How a request ended, as its page tells."""
    await page.goto(request)
    return await page.locator("#answered").inner_text()


async def test_with_tab_and_enter_alone_a_request_is_approved(window: Window, people: Cast, camille) -> None:
    pending = await camille.asks()
    async with window(people.nadia, DESK) as page:
        await page.goto("/inbox")
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.textContent") == "Skip to the content"
        await page.keyboard.press("Enter")
        await tab_to(page, "Send a mail to")
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"**/requests/{pending.id}")
        await asyncio.sleep(ARMED_AFTER)
        await tab_to(page, "Approve")
        focus = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/inbox")
        assert focus == "solid"
        assert await outcome(page, f"/requests/{pending.id}") == "Approved"


async def test_the_keys_lead_through_the_inbox_to_an_answer(window: Window, people: Cast, camille) -> None:
    first, second = await camille.asks(), await camille.asks("refund_order")
    async with window(people.nadia, DESK) as page:
        await page.goto("/inbox")
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"**/requests/{first.id}")
        await page.keyboard.press("j")
        await page.wait_for_url(f"**/requests/{second.id}")
        await page.keyboard.press("k")
        await page.wait_for_url(f"**/requests/{first.id}")
        await asyncio.sleep(ARMED_AFTER)
        await page.keyboard.press("a")  # a key only leads to the button: Enter presses it
        assert page.url.endswith(str(first.id))
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"**/requests/{second.id}")
        await page.keyboard.press("r")
        await expect(page.locator("#word")).to_be_focused()
        await page.keyboard.type("just a cup, aerj?")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/inbox")
        assert await outcome(page, f"/requests/{second.id}") == "Rejected"


async def test_the_change_is_made_by_keyboard_and_the_keys_can_be_switched_off(window, people, camille) -> None:
    pending = await camille.asks("refund_order")
    async with window(people.nadia, DESK) as page:
        await page.goto(f"/requests/{pending.id}")
        await page.keyboard.press("e")
        await expect(page.locator("[name='change.amount']")).to_be_focused()
        await page.keyboard.press("ControlOrMeta+a")
        await page.keyboard.type("12.50")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/inbox")
        assert await outcome(page, f"/requests/{pending.id}") == "Approved with changes"
        await page.keyboard.press("?")
        await page.locator("#keys-on").uncheck()
        await page.keyboard.press("Escape")
        await expect(page.locator("#keys")).to_be_hidden()


@pytest.mark.parametrize("verdict", ["approve", "change", "reject"])
async def test_without_script_each_answer_can_be_given(window: Window, people: Cast, camille, verdict: str) -> None:
    pending = await camille.asks("refund_order")
    async with window(people.nadia, WITHOUT) as page:
        await page.goto("/inbox")
        await page.locator(".card h3 a").click()
        if verdict == "change":
            await page.get_by_role("link", name="Change", exact=True).click()
            await page.get_by_label("Amount").fill("12,50")
        if verdict == "reject":
            await page.get_by_role("link", name="Reject", exact=True).click()
            await page.locator("#word").fill("Too much")
        await page.locator(f"button[value={verdict}]").click()
        await page.wait_for_url("**/inbox")
        ends = {"approve": "Approved", "change": "Approved with changes", "reject": "Rejected"}
        assert await outcome(page, f"/requests/{pending.id}") == ends[verdict]


async def test_without_script_a_task_is_given_and_the_journal_is_filtered(window: Window, people: Cast) -> None:
    async with window(people.nadia, WITHOUT) as page:
        await page.goto(f"/employees/{people.camille}")
        await page.get_by_label("A task for Camille").fill("Look for linen napkins")
        await page.get_by_role("button", name="Give this task").click()
        await page.wait_for_url("**/conversations/*")
        await expect(page.locator(".said--person")).to_contain_text("Look for linen napkins")
        await page.goto("/journal")
        await page.get_by_label("Employee", exact=True).select_option(label="Camille")
        await page.get_by_role("button", name="Show", exact=True).click()
        await expect(page.locator(".journal")).to_contain_text("Camille was hired")
        await page.locator(".menu summary").click()
        await page.get_by_role("button", name="Français").click()
        await expect(page.locator("html")).to_have_attribute("lang", "fr")
