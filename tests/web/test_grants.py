"""Approve and do not ask again: offered where it helps, in words; listed, and taken back, by a person on a page."""

from uuid import UUID

import httpx2
import pytest

from tests.people import Cast
from tests.scripted import Scripted, mail, words
from tests.sheets import past_trial
from tests.web.conftest import hidden_fields

TAKE_BACK = "Take it back"


@pytest.fixture
async def waiting(scripted: Scripted, people: Cast) -> tuple[str, UUID]:
    """Camille, past her trial, asks to send a mail and will want a second one: the request, the conversation."""
    await past_trial(scripted, people)
    conversation = await scripted.give(people, [mail("First.")], [mail("Second, another.")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    return f"/requests/{request.id}", conversation


async def allow(browser: httpx2.AsyncClient, url: str, **fields: str) -> httpx2.Response:
    form = hidden_fields((await browser.get(url)).text, f"{url}/answer")
    return await browser.post(f"{url}/answer", data={**form, "verdict": "always", **fields})


async def test_the_page_says_what_would_be_allowed_the_narrow_one_first_and_chosen(browse, people, waiting) -> None:
    url, _ = waiting
    async with browse(people.nadia) as browser:
        page = (await browser.get(url)).text
    offer = page[page.index("do not ask again for this") :]
    assert offer.index('value="narrow" checked') < offer.index('value="wide"')
    assert "only with To: emma.walsh@example.com" in " ".join(offer.split())
    assert "in every case" in offer and "24 hours at the latest" in offer


async def test_it_is_not_offered_on_trial(browse, people, scripted) -> None:
    await scripted.give(people, [mail("On trial.")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    async with browse(people.nadia) as browser:
        page = (await browser.get(f"/requests/{request.id}")).text
        assert "do not ask again" not in page
        forced = await allow(browser, f"/requests/{request.id}", scope="wide")
    assert forced.status_code == 422
    assert "You can still approve this one." in forced.text and 'value="approve"' in forced.text
    assert len(await scripted.pending(people.company)) == 1


async def test_given_it_is_listed_and_the_next_goes_ahead(browse, people, scripted, waiting) -> None:
    url, conversation = waiting
    async with browse(people.nadia) as browser:
        answer = await allow(browser, url, scope="narrow")
        assert answer.status_code == 303
        flash = (await browser.get(answer.headers["location"])).text
        assert "not asked again in this conversation" in flash and f"/conversations/{conversation}#grants" in flash
        await scripted.work()
        assert len(scripted.mailbox.mails()) == 2
        for page in (f"/conversations/{conversation}", f"/employees/{people.camille}"):
            text = " ".join((await browser.get(page)).text.split())
            assert TAKE_BACK in text and "only with To: emma.walsh@example.com" in text
            assert "allowed by you" in text


async def test_taken_back_it_asks_again(browse, people, scripted, waiting, submit) -> None:
    url, conversation = waiting
    here = f"/conversations/{conversation}"
    async with browse(people.nadia) as browser:
        await allow(browser, url, scope="wide")
        page = (await browser.get(here)).text
        assert "in every case" in page
        action = page[page.index("/grants/") :].partition('"')[0]
        answer = await submit(browser, here, action, next=here)
        assert (answer.status_code, answer.headers["location"]) == (303, here)
        page = (await browser.get(here)).text
        assert "from now on it asks again" in page and TAKE_BACK not in page
    await scripted.work()
    assert len(await scripted.pending(people.company)) == 1


async def test_a_colleague_sees_no_list_on_the_employees_page_and_takes_nothing_back(
    browse, people, scripted, waiting
) -> None:
    url, conversation = waiting
    async with browse(people.nadia) as browser:
        await allow(browser, url)
        page = (await browser.get(f"/conversations/{conversation}")).text
        action = page[page.index("/grants/") :].partition('"')[0]
    async with browse(people.lea) as browser:
        page = (await browser.get(f"/employees/{people.camille}")).text
        assert TAKE_BACK not in page
        form = hidden_fields(page, f"/employees/{people.camille}/tasks")
        assert (await browser.post(action, data=form)).status_code == 403
    await scripted.work()
    assert len(scripted.mailbox.mails()) == 2
