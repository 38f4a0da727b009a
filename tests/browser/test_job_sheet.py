"""While a manager changes a job sheet, the page says what it would mean; nothing moves under their hands."""

from playwright.async_api import expect

from tests.browser.window import Look


async def test_the_preview_follows_what_one_changes_and_leaves_the_focus_alone(window, people, nadia) -> None:
    async with window(nadia, Look(1280)) as page:
        await page.goto(f"/employees/{people.camille}/job-sheet/edit")
        changes = page.locator("[data-part=changes]")
        await expect(changes).to_contain_text("Nothing changes.")
        await page.locator("[name='tools.send_reply']").focus()
        await page.locator("[name='tools.send_reply']").select_option("never")
        await expect(changes).to_contain_text("Send a mail")
        await expect(changes).to_contain_text("cannot do it")
        assert await page.evaluate("document.activeElement.name") == "tools.send_reply"
        await page.locator("#mission").press_sequentially("x")
        await expect(changes).to_contain_text("Mission")
        await expect(page.locator("#mission")).to_be_focused()


async def test_a_new_row_is_where_one_goes_on_writing_and_says_what_it_lets_through(window, people, nadia) -> None:
    async with window(nadia, Look(1280)) as page:
        await page.goto(f"/employees/{people.camille}/job-sheet/edit")
        await page.locator("[value='add.exceptions']").click()
        text = page.locator("[name='exceptions.0.text']")
        await expect(text).to_be_focused()
        await text.fill("Thank whoever wrote.")
        await page.locator("[name='exceptions.0.tools'][value=send_reply]").check()
        await expect(page.locator("[data-part='reach.0']")).to_contain_text("Once the trial is over")


async def test_without_a_script_a_button_shows_the_preview_and_keeps_what_was_typed(window, people, nadia) -> None:
    async with window(nadia, Look(390, script=False)) as page:
        await page.goto(f"/employees/{people.camille}/job-sheet/edit")
        await page.locator("#mission").fill("Answers patients.")
        await page.locator(".answers [value=preview]").click()
        await expect(page.locator("[data-part=changes]")).to_contain_text("Answers patients.")
        await expect(page.locator("#mission")).to_have_value("Answers patients.")
        assert page.url.endswith("#preview")
