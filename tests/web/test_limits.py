"""What no employee may do is set on one page, by administrators, and seen wherever an employee's work is shown."""

import pytest


@pytest.mark.parametrize("who", ["nadia", "lea"])
async def test_only_an_administrator_comes_here(browse, people, who):
    async with browse(getattr(people, who)) as browser:
        assert (await browser.get("/limits")).status_code == 403
        assert 'href="/limits"' not in (await browser.get("/settings")).text


async def test_what_is_chosen_is_kept_and_shown_on_the_job_sheet(browse, people, omar, submit):
    async with browse(omar) as browser:
        assert 'href="/limits"' in (await browser.get("/settings")).text
        sent = await submit(browser, "/limits", "/limits", **{"floors.act": "never"})
        assert sent.status_code == 303
        page = (await browser.get("/limits")).text
        assert "It holds for every employee" in page and '<option value="never" selected>' in page
        assert "cannot do it" in (await browser.get(f"/employees/{people.camille}/job-sheet")).text
        assert "changed what no employee of the company may do" in (await browser.get("/journal")).text


@pytest.mark.parametrize("value", ["do", "nonsense"])
async def test_what_is_no_choice_is_refused_and_nothing_changes(browse, omar, submit, value):
    async with browse(omar) as browser:
        assert (await submit(browser, "/limits", "/limits", **{"floors.act": value})).status_code == 422
        assert " selected>cannot do it" not in (await browser.get("/limits")).text
