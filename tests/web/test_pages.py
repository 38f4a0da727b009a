"""Each page: who sees it, who does not, and that another company finds nothing."""

import pytest
from sqlalchemy import delete

from app.identity.models import AgentManager
from tests.web.conftest import hidden_fields

MISSING = "0193b6a0-0000-7000-8000-000000000000"


@pytest.fixture
async def pages(camille, people):
    """The address of each page about Camille and her task."""
    pending = await camille.asks()
    return {
        "employee": f"/employees/{people.camille}",
        "job sheet": f"/employees/{people.camille}/job-sheet",
        "conversation": f"/conversations/{pending.conversation_id}",
        "task": f"/tasks/{pending.run_id}",
        "request": f"/requests/{pending.id}",
    }


@pytest.mark.parametrize("name", ["employee", "job sheet", "conversation", "task", "request"])
async def test_nadia_sees_it_and_rita_finds_nothing(browse, pages, nadia, rita, name):
    async with browse(nadia) as hers, browse(rita) as foreign:
        assert "Camille" in (await hers.get(pages[name])).text
        answer = await foreign.get(pages[name])
        missing = await foreign.get(pages[name].replace(pages[name].split("/")[2], MISSING))
    assert answer.status_code == 404
    assert answer.content == missing.content


@pytest.mark.parametrize("name", ["conversation", "task", "request"])
async def test_a_member_reads_only_what_they_began(browse, pages, lea, name):
    async with browse(lea) as browser:
        answer = await browser.get(pages[name])
    assert answer.status_code == 403
    assert "Nadia" in answer.text and "Broken cup" not in answer.text


async def test_a_manager_of_nobody_reads_nothing_of_camille_s(browse, pages, owner, people, nadia):
    async with owner.tenant(people.company) as session:
        await session.execute(delete(AgentManager).where(AgentManager.user_id == nadia.user_id))
    async with browse(nadia) as browser:
        assert (await browser.get(pages["request"])).status_code == 403
        assert "Broken cup" not in (await browser.get("/inbox")).text


async def test_the_task_tells_what_was_decided_and_what_it_cost(browse, pages, nadia):
    async with browse(nadia) as browser:
        page = (await browser.get(pages["task"])).text
    assert "waits for an answer" in page
    assert "The employee is on trial." in page
    assert "$0.0126" in page


async def test_the_job_sheet_shows_the_matrix_twice(browse, pages, lea):
    async with browse(lea) as browser:
        page = (await browser.get(pages["job sheet"])).text
    assert "As it starts" in page and "After reading text from outside" in page
    assert "Refund an order" in page and "asks first" in page


async def test_a_member_gives_a_task_and_reads_its_conversation(browse, people, lea, submit):
    async with browse(lea) as browser:
        url = f"/employees/{people.camille}"
        answer = await submit(browser, url, f"{url}/tasks", text="Look for linen napkins")
        assert answer.status_code == 303
        page = (await browser.get(answer.headers["location"])).text
        assert "Look for linen napkins" in page and "Camille has your task." in page
        said = await submit(
            browser, answer.headers["location"], f"{answer.headers['location']}/messages", text="And cups"
        )
        assert said.status_code == 303
        assert "And cups" in (await browser.get(answer.headers["location"])).text


async def test_an_empty_task_is_asked_for_again_at_its_field(browse, people, lea, submit):
    async with browse(lea) as browser:
        url = f"/employees/{people.camille}"
        answer = await submit(browser, url, f"{url}/tasks", text="  ")
    assert answer.status_code == 422
    assert "Please write what is to be done." in answer.text


async def test_a_task_is_ended_by_who_gave_it(browse, people, lea, submit):
    async with browse(lea) as browser:
        url = f"/employees/{people.camille}"
        given = await submit(browser, url, f"{url}/tasks", text="Look for cups")
        page = (await browser.get(given.headers["location"])).text
        task = page.split('href="/tasks/')[1].split('"')[0]
        form = hidden_fields(page, "/sign-out")
        assert (await browser.post(f"/tasks/{task}/cancel", data=form)).status_code == 303


async def test_one_tap_pauses_and_lets_go_on_and_a_member_may_not(browse, people, nadia, lea, submit):
    url = f"/employees/{people.camille}"
    async with browse(nadia) as browser, browse(lea) as other:
        answer = await submit(browser, url, f"{url}/pause")
        assert (answer.status_code, answer.headers["location"]) == (303, url)
        assert "Camille is paused." in (await browser.get(url)).text
        assert (await submit(browser, url, f"{url}/resume")).status_code == 303
        token = hidden_fields((await other.get(url)).text, "/sign-out")
        assert (await other.post(f"{url}/pause", data=token)).status_code == 403


async def test_an_effect_nobody_knew_about_is_settled(browse, camille, nadia, lea, submit):
    pending = await camille.does_not_know()
    url = f"/calls/{pending.call_id}/settle"
    async with browse(nadia) as browser, browse(lea) as other:
        token = hidden_fields((await other.get("/inbox")).text, "/sign-out")
        assert (await other.post(url, data={**token, "verdict": "happened"})).status_code == 403
        assert (await submit(browser, "/inbox", url, verdict="happened")).status_code == 303
        assert "Thank you. The employee is told what you found." in (await browser.get("/inbox")).text


async def test_the_journal_says_who_decided_what(browse, camille, nadia, lea, rita, submit):
    pending = await camille.asks()
    async with browse(nadia) as browser, browse(lea) as member, browse(rita) as foreign:
        await submit(browser, f"/requests/{pending.id}", f"/requests/{pending.id}/answer", verdict="approve")
        page = (await browser.get("/journal")).text
        assert "Nadia approved: send a mail" in page and "Camille asked: send a mail" in page
        assert "Nadia approved" not in (await browser.get("/journal?event=approval.asked")).text
        assert (await member.get("/journal")).status_code == 403
        assert "Camille" not in (await foreign.get("/journal")).text


async def test_the_settings_change_language_and_clock(browse, nadia, submit):
    async with browse(nadia) as browser:
        answer = await submit(browser, "/settings", "/settings", language="fr", zone="America/Montreal")
        assert answer.status_code == 303
        assert '<html lang="fr">' in (await browser.get("/inbox")).text
        wrong = await submit(browser, "/settings", "/settings", language="fr", zone="Mars/Base")
    assert wrong.status_code == 422


async def test_the_language_can_be_changed_before_signing_in(browse, submit):
    async with browse(None) as browser:
        answer = await submit(browser, "/sign-in", "/language", language="fr")
        assert answer.headers["location"] == "/sign-in"
        assert '<html lang="fr">' in (await browser.get("/sign-in")).text


async def test_health_is_open_to_everybody(browse):
    async with browse(None) as browser:
        assert (await browser.get("/healthz")).text == "alive\n"
        assert (await browser.get("/readyz")).text == "ready\n"
