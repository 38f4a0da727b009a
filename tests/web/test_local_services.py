"""Programs of this machine as services: offered where the operator allows some, added by a person, or refused."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import func, select

from app.connections.models import Connection
from app.errors import BadConfiguration
from app.tools.way_out import way_out
from app.web.application import create_app
from tests.people import Cast, open_browser
from tests.serving import serving
from tests.tool_servers.programs import Allowed, gone, honest, rude
from tests.web.conftest import hidden_fields

ADD = "/services/add"
KEY = "the key of the notes"
Open = Callable[[str], AbstractAsyncContextManager[httpx2.AsyncClient]]


@pytest.fixture
def opened(settings, web, people: Cast) -> Open:
    """Omar's browser, on pages of an installation with this setting."""

    @asynccontextmanager
    async def open_(setting: str) -> AsyncIterator[httpx2.AsyncClient]:
        allowed = settings.model_copy(update={"placet_local_services": setting})
        async with serving(create_app(allowed)) as site, open_browser(site, web, people.omar) as browser:
            yield browser

    return open_


@pytest.fixture
def notes(tmp_path: Path) -> Allowed:
    return honest(tmp_path)


async def test_a_person_adds_a_program_by_its_name_and_sees_what_it_offers(opened, submit, notes):
    async with opened(notes.setting) as browser:
        answer = await submit(browser, ADD, ADD, name="notes", program="notes", key=KEY)
        assert answer.status_code == 303, answer.text
        page = (await browser.get(answer.headers["location"])).text
        assert "A program on Placet’s own computer: notes" in page and "3 abilities to look at" in page
        assert "Searches the letters." in page and KEY not in page
        for path in ("/services", "/abilities"):
            listed = (await browser.get(path)).text
            assert "on Placet’s own computer" in listed and "local:" not in listed
    assert all(gone(number) for number in notes.processes)


async def test_without_the_setting_the_form_offers_no_program(opened, notes):
    async with opened("") as browser:
        assert "program" not in (await browser.get(ADD)).text
    async with opened(notes.setting) as browser:
        assert '<option value="notes">notes</option>' in (await browser.get(ADD)).text


WRONG = [
    "local:other",
    "local:",
    "local:/usr/bin/env",
    "local:notes; env",
    "/usr/bin/env",
    "local:../notes",
    "LOCAL:notes",
]


@pytest.mark.parametrize("address", WRONG)
async def test_nothing_but_the_name_of_an_allowed_program_is_ever_started(opened, submit, notes, address):
    async with opened(notes.setting) as browser:
        answer = await submit(browser, ADD, ADD, name="notes", address=address)
        assert answer.status_code == 422
        said = "may not be started here" if address.startswith("local:") else "not an address that can be used"
        assert re.search(rf'id="address-error">.*?{said}', answer.text, re.DOTALL)
        assert "No service yet" in (await browser.get("/services")).text
    assert notes.noted == []


@pytest.mark.parametrize("given", [{"address": "local:notes"}, {"program": "notes"}])
async def test_without_the_setting_nothing_is_started(opened, submit, given):
    async with opened("") as browser:
        answer = await submit(browser, ADD, ADD, name="notes", **given)
        assert answer.status_code == 422 and "This program may not be started here." in answer.text


async def test_what_is_wrong_stands_at_its_field(opened, submit, notes):
    bare = json.dumps({"notes": {"command": notes.command}})
    async with opened(bare) as browser:
        answer = await submit(browser, ADD, ADD, name="notes", program="notes", key=KEY)
        assert re.search(r'id="key-error">.*?takes no key', answer.text, re.DOTALL) and KEY not in answer.text
        answer = await submit(browser, ADD, ADD, name="notes", program="notes", address="https://example.com")
        assert "not both" in answer.text and 'value="https://example.com"' in answer.text
        assert '<option value="notes" selected>' in answer.text
        answer = await submit(browser, ADD, ADD, name="notes")
        assert re.search(r'id="address-error">.*?Please choose a program or enter an address', answer.text, re.DOTALL)


async def test_a_program_that_takes_no_key_is_asked_for_none_and_keeps_none(opened, submit, notes, web, omar):
    bare = json.dumps({"notes": {"command": notes.command}})
    async with opened(notes.setting) as browser:
        here = (await submit(browser, ADD, ADD, name="notes", program="notes")).headers["location"]
        assert f'action="{here}/key"' in (await browser.get(here)).text
    async with opened(bare) as browser:
        page = (await browser.get(here)).text
        assert f'action="{here}/key"' not in page
        sent = {**hidden_fields(page, f"{here}/refresh"), "key": KEY}
        assert (await browser.post(f"{here}/key", data=sent)).status_code == 422
    async with web.tenant(omar.tenant_id) as session:
        assert await session.scalar(select(func.count()).select_from(Connection)) == 0


async def test_a_program_that_ends_at_once_is_said_at_its_field(opened, submit, tmp_path):
    async with opened(rude("dies", tmp_path).setting) as browser:
        answer = await submit(browser, ADD, ADD, name="notes", program="notes")
    assert answer.status_code == 422
    assert re.search(r'id="program-error">.*?did not say what it can do', answer.text, re.DOTALL)


async def test_what_the_operator_takes_away_is_not_started_again(opened, submit, notes):
    async with opened(notes.setting) as browser:
        here = (await submit(browser, ADD, ADD, name="notes", program="notes", key=KEY)).headers["location"]
    before = len(notes.processes)
    async with opened("") as browser:
        form = hidden_fields((await browser.get(here)).text, f"{here}/refresh")
        await browser.post(f"{here}/refresh", data=form)
        assert "This program may not be started here." in (await browser.get(here)).text
    assert len(notes.processes) == before


BAD = {
    "not JSON": ("notes", "PLACET_LOCAL_SERVICES: Invalid JSON"),
    "a list": ("[]", "PLACET_LOCAL_SERVICES: "),
    "no command": ('{"notes": {"command": []}}', "notes.command"),
    "a name that is none": ('{"my notes": {"command": ["/bin/true"]}}', "my notes"),
    "no whole path": ('{"notes": {"command": ["true"]}}', "notes: the command has to begin with the whole path"),
    "no such program": ('{"notes": {"command": ["/no/such/file"]}}', "notes: the command has to begin"),
    "something else": ('{"notes": {"command": ["/bin/true"], "env": {}}}', "notes.env"),
    "a key that steers": ('{"notes": {"command": ["/bin/true"], "key_as": "LD_PRELOAD"}}', "notes.key_as"),
    "a key as a path": ('{"notes": {"command": ["/bin/true"], "key_as": "PATH"}}', "notes.key_as"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_setting_that_cannot_be_meant_stops_the_start_with_one_line(settings, bad):
    setting, said = BAD[bad]
    with pytest.raises(BadConfiguration) as wrong:
        way_out(settings.model_copy(update={"placet_local_services": setting}))
    assert str(wrong.value).startswith("PLACET_LOCAL_SERVICES: ") and said in str(wrong.value)
    assert "\n" not in str(wrong.value)
