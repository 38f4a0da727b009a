"""A program of this machine in real runs: added by a person, looked at, used by an employee, believed as little."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import httpx2
import pytest

from app.database.transaction import Database
from app.runs.states import CallStatus
from app.settings import Settings
from app.tool_servers.queries import servers
from app.tool_servers.review import review
from app.tools.way_out import way_out
from app.web.application import create_app
from tests.people import Cast, open_browser
from tests.scripted import Scripted, use, with_model, words
from tests.serving import serving
from tests.tool_servers.programs import Allowed, gone, honest, rude
from tests.tool_servers.servers import gets
from tests.web.conftest import hidden_fields
from tests.world import World

KEY = "the key of the notes"
ADD = "/services/add"


@dataclass
class Installation:
    """A company, the pages and the worker of an installation whose operator may allow a program."""

    settings: Settings
    web: Database
    owner: Database
    people: Cast
    world: Scripted

    async def allows(self, setting: str) -> None:
        """The operator starts web and worker again with this setting."""
        self.settings = self.settings.model_copy(update={"placet_local_services": setting})
        house = self.world.house
        self.world.house = replace(house, settings=self.settings, http=way_out(self.settings))

    async def adds(self) -> None:
        """Omar adds it on its page, and confirms all that it offers."""
        async with serving(create_app(self.settings)) as site, open_browser(site, self.web, self.people.omar) as omar:
            form = hidden_fields((await omar.get(ADD)).text, ADD)
            given: dict[str, str] = {"name": "notes", "program": "notes", "key": KEY}
            answer: httpx2.Response = await omar.post(ADD, data={**form, **given})
            assert answer.status_code == 303, answer.text
        async with self.web.tenant(self.people.company) as session:
            (server,) = await servers(session)
            assert not any(tool.reviewed for tool in server.tools)  # nobody has looked: each of them asks
            seen = {tool.id: tool.mark for tool in server.to_review}
            await review(session, server.id, seen, by=self.people.omar.member)
        await gets(self.owner, self.people, *(tool.name for tool in server.tools))


@pytest.fixture
async def house(world: World, web: Database, owner: Database, people: Cast) -> AsyncIterator[Installation]:
    scripted = with_model(world, "practice-scripted")
    yield Installation(scripted.house.settings, web, owner, people, scripted)


@pytest.fixture
async def notes(house: Installation, tmp_path: Path) -> Allowed:
    """The one that is written with the SDK, allowed and added."""
    allowed = honest(tmp_path)
    await house.allows(allowed.setting)
    await house.adds()
    return allowed


async def test_an_employee_uses_it_and_its_key_is_masked_in_result_and_error(house: Installation, notes: Allowed):
    turns = [
        [use("notes__search_letters", query="Emma")],
        [use("notes__search_letters", query="Tom"), use("notes__find_letter", query="Paul")],
    ]
    await house.world.give(house.people, *turns, [words()])

    assert [one for one in notes.noted if isinstance(one, str)] == ["search Emma", "search Tom"]
    found, _ = await house.world.results(house.people, "notes__search_letters")
    assert "found Emma with the key •••" in found and '"provenance": "outside"' in found
    (failed,) = await house.world.results(house.people, "notes__find_letter")
    assert "no Paul with •••" in failed
    assert all(gone(number) for number in notes.processes)


async def test_what_the_operator_took_away_does_not_answer_and_the_run_goes_on(house: Installation, notes: Allowed):
    before = len(notes.processes)
    await house.allows("")
    await house.world.give(house.people, [use("notes__search_letters", query="Emma")], [words("I could not look.")])

    (result,) = await house.world.results(house.people, "notes__search_letters")
    assert "This program may not be started here. Nothing was asked of it." in result
    assert len(notes.processes) == before and "search Emma" not in notes.noted


async def test_a_call_after_which_it_died_is_uncertain_and_nobody_tries_again(house: Installation, tmp_path: Path):
    allowed = rude("dies when called", tmp_path)
    await house.allows(allowed.setting)
    await house.adds()
    await house.world.give(house.people, [use("notes__send_note")], [words()])
    ((approval, _),) = await house.world.pending(house.people.company)
    await house.world.answer(house.people.nadia, approval.id, "approve")
    await house.world.work()

    (call,) = await house.world.calls(house.people.company, "notes__send_note")
    assert call.status is CallStatus.UNCERTAIN and allowed.noted.count("called") == 1
