"""Can an employee be hired by keyboard alone, and in a browser that runs no script?"""

from playwright.async_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.test_hands import DESK, WITHOUT, tab_to
from tests.people import Cast


async def _focus(page: Page, name: str) -> None:
    for _ in range(60):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.name") == name:
            return
    raise AssertionError(f"Tab never comes to {name}")


async def test_with_the_keyboard_alone_somebody_is_hired_until_i_say_so(window: Window, people: Cast) -> None:
    async with window(people.omar, DESK) as page:
        await page.goto("/employees")
        await tab_to(page, "Hire an employee")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/employees/hire")
        await tab_to(page, "Choose (catalogue)")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/employees/hire?template=catalogue")
        await _focus(page, "name")
        await page.keyboard.press("Control+a")
        await page.keyboard.type("Ada")
        await _focus(page, "until")
        await page.keyboard.press("ArrowDown")
        await tab_to(page, "Go on")
        await page.keyboard.press("Enter")
        await expect(page.locator("h1")).to_have_text("Hire Ada?")
        await tab_to(page, "Hire")
        await page.keyboard.press("Enter")
        await expect(page.locator(".notice--good:visible")).to_contain_text("Ada is hired, on trial.")
        await expect(page.locator("main dl.receipt")).to_contain_text("until somebody says so")


async def test_without_a_script_a_sample_task_is_one_tap_away_from_the_yes(window: Window, people: Cast) -> None:
    async with window(people.omar, WITHOUT) as page:
        await page.goto("/employees/hire?template=catalogue")
        await page.locator("button[value=look]").click()
        await page.locator("button[value=hire]").click()
        await page.get_by_role("link", name="Set the price of CUP-BLUE to 27.00.").click()
        await page.get_by_role("button", name="Give this task").click()
        await expect(page.locator("main")).to_contain_text("Set the price of CUP-BLUE to 27.00.")
        assert "/conversations/" in page.url
