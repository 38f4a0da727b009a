"""A request of a service that others wrote: it is shown whole, and can be changed like one of ours."""

import re

import pytest

from app.ids import new_id
from app.tool_servers.add import refresh, remove
from tests.scripted import use, words
from tests.tool_servers.conftest import CALLS, Crm
from tests.web.conftest import hidden_fields

SEND = "crm__send_newsletter"


@pytest.fixture
async def url(crm: Crm) -> str:
    """Camille asks to use the service."""
    await crm.gets(SEND)
    await crm.looked_at()
    await crm.world.give(crm.people, [use(SEND, to="all@example.org", text="Hello")], [words()])
    ((request, _),) = await crm.world.pending(crm.people.company)
    return f"/requests/{request.id}"


async def test_what_a_person_changes_is_what_the_service_gets(crm: Crm, browse, url: str) -> None:
    async with browse(crm.people.nadia) as browser:
        form = hidden_fields((await browser.get(url)).text, f"{url}/answer")
        changed = {"change.to": "few@example.org", "change.text": "Hello"}
        answer = await browser.post(f"{url}/answer", data={**form, "verdict": "change", **changed})
        assert answer.status_code == 303
        await crm.world.work()
        page = (await browser.get(url)).text
    assert CALLS == ["newsletter few@example.org"]
    assert re.search(r"<del>.*all@example\.org.*</del>\s*<ins>.*few@example\.org", page)


async def test_no_name_of_ours_hides_what_a_service_is_given(crm: Crm, browse) -> None:
    """`mail` is an id in our own tools; a stranger's `mail` may be the letter itself."""

    async def send_newsletter(mail: str, price: float) -> str:
        """Sends."""
        return "sent"

    crm.running.again(send_newsletter)
    await _fresh(crm)
    await crm.gets(SEND)
    await crm.world.give(crm.people, [use(SEND, mail="The whole letter", price=5)], [words()])
    ((request, _),) = await crm.world.pending(crm.people.company)
    async with browse(crm.people.nadia) as browser:
        url = f"/requests/{request.id}"
        page = (await browser.get(url)).text
        form = hidden_fields(page, f"{url}/answer")
        assert "The whole letter" in page and "€5" not in page
        wrong = {"change.mail": "Mine", "change.price": "five"}
        answer = await browser.post(f"{url}/answer", data={**form, "verdict": "change", **wrong})
    assert answer.status_code == 422
    assert "Please write a number." in answer.text and "Mine" in answer.text


async def _fresh(crm: Crm) -> None:
    await refresh(crm.web, crm.running.http, crm.id, by=crm.people.omar.member, operation=new_id())
    await crm.looked_at()


async def test_a_change_for_a_service_that_is_gone_says_so_instead_of_breaking(crm: Crm, browse, url: str) -> None:
    async with browse(crm.people.nadia) as browser:
        form = hidden_fields((await browser.get(url)).text, f"{url}/answer")
        async with crm.web.tenant(crm.people.company) as session:
            await remove(session, crm.id, by=crm.people.omar.member, operation=new_id())
        answer = await browser.post(f"{url}/answer", data={**form, "verdict": "change", "change.text": "x"})
    assert answer.status_code == 409
    assert "no longer has what it needs" in answer.text and CALLS == []
