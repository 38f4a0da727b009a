"""A program of this machine hurts nobody either: an error in time, within bounds, and nothing of it is left behind."""

import asyncio
import json
import os
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import OutcomeUnknown, ToolError
from app.tools.going_out import Guard
from app.tools.http import Http
from app.tools.mcp import client, process
from app.tools.mcp.client import call_tool, list_tools
from app.tools.mcp.programs import NotStartedHere
from app.tools.mcp.trouble import Why
from tests.tool_servers.programs import PLACE, Allowed, gone, honest, killed, rude

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long here."""
    monkeypatch.setattr(client, "CALL_SECONDS", 1.0)
    monkeypatch.setattr(process, "GOODBYE_SECONDS", 0.2)


async def send(allowed: Allowed, same: Callable[..., bool] = lambda _: True) -> object:
    """Have it called."""
    return await call_tool(allowed.http, PLACE, "send_note", {}, same=same)


MANNERS = {"silent": Why.SLOW, "deserts its child": Why.SLOW}
MANNERS |= dict.fromkeys(["dies", "endless line", "endless garbage", "endless news"], Why.UNREACHABLE)


@pytest.mark.parametrize("manner", MANNERS)
async def test_no_list_is_an_error_in_time_within_bounds_and_nothing_is_left(manner: str, tmp_path: Path) -> None:
    allowed, began = rude(manner, tmp_path), time.monotonic()
    tracemalloc.start()
    with pytest.raises(client.Silent) as silent:
        await list_tools(allowed.http, PLACE, seconds=1.5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert silent.value.why is MANNERS[manner]
    assert time.monotonic() - began < 4 and peak < 40 * 1024 * 1024
    number, *child = allowed.processes
    assert gone(number) and all(killed(one) for one in child)


WHEN_CALLED = ["dies when called", "silent when called", "endless line when called", "huge when called"]


@pytest.mark.parametrize("manner", WHEN_CALLED)
async def test_what_becomes_of_a_call_after_it_was_sent_is_unknown(manner: str, tmp_path: Path) -> None:
    allowed = rude(manner, tmp_path)
    with pytest.raises(OutcomeUnknown):
        await send(allowed)
    assert allowed.noted.count("called") == 1  # nothing is tried twice
    assert all(gone(number) for number in allowed.processes)


@pytest.mark.parametrize("manner", ["polite", "greets", "noisy", "stubborn", "stubborn with a child"])
async def test_after_an_answer_no_process_and_no_file_is_left(
    manner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process.tempfile, "tempdir", str(tmp_path))
    allowed, began = rude(manner, tmp_path), time.monotonic()
    assert await send(allowed) == {"text": "sent"}
    assert time.monotonic() - began < 4
    number, *child = allowed.processes
    assert gone(number) and len(child) == ("child" in manner) and all(killed(one) for one in child)
    assert [file.name for file in tmp_path.iterdir()] == ["note"]


@pytest.mark.parametrize("manner", ["silent", "silent when called", "stubborn with a child"])
async def test_a_task_that_is_cancelled_leaves_no_process_behind(manner: str, tmp_path: Path) -> None:
    allowed = rude(manner, tmp_path)
    task = asyncio.create_task(send(allowed))
    wanted = {"silent": 1, "silent when called": 2}.get(manner, 3)  # lines of its note
    while len(allowed.noted) < wanted:
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()  # and once more, while it tidies up
    with pytest.raises(asyncio.CancelledError):
        await task
    number, *child = allowed.processes
    assert gone(number) and all(killed(one) for one in child)


async def test_what_it_asks_of_us_gets_an_error_and_nothing_else(tmp_path: Path) -> None:
    allowed = rude("curious", tmp_path)
    assert await send(allowed) == {"text": "sent"}
    answers = [one for one in allowed.noted if isinstance(one, dict)]
    assert answers and all(set(one) == {"jsonrpc", "id", "error"} for one in answers)


async def test_what_is_no_longer_what_was_looked_at_is_not_called(tmp_path: Path) -> None:
    allowed = rude("polite", tmp_path)
    with pytest.raises(client.Changed):
        await send(allowed, same=lambda tool: tool.description == "as it was")
    assert "called" not in allowed.noted


async def test_it_gets_nothing_of_ours_and_runs_in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = ("APP_SECRET", "DATABASE_URL", "ANTHROPIC_API_KEY", "SMTP_URL", "PLACET_SHOP_KEY")
    for name in secrets:
        monkeypatch.setenv(name, "a secret of the house")
    inherited = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(inherited, True)
    told = await call_tool(honest(tmp_path).http, PLACE, "look_around", {}, same=lambda _: True)
    os.close(inherited)
    assert isinstance(told, dict)
    around = json.loads(str(told["text"]))
    assert set(around["environ"]) - {"LC_CTYPE"} == {"PATH", "HOME", "TMPDIR", "LANG", "NOTES_API_KEY"}
    assert around["environ"]["NOTES_API_KEY"] == PLACE.key and around["environ"]["HOME"] == around["folder"]
    assert around["files"] == [] and around["own_session"] and not Path(around["folder"]).exists()
    assert str(tmp_path) not in around["open"]


async def test_a_service_that_is_not_allowed_is_not_started(tmp_path: Path) -> None:
    allowed = rude("polite", tmp_path)
    for http in (Http(Guard()), Http(Guard(), programs={"other": allowed.http.programs["notes"]})):
        with pytest.raises(NotStartedHere, match="may not be started here"):
            await call_tool(http, PLACE, "send_note", {}, same=lambda _: True)
        with pytest.raises(client.Silent) as silent:
            await list_tools(http, PLACE)
        assert silent.value.why is Why.NOT_ALLOWED
    assert allowed.noted == []


async def test_a_key_that_no_variable_can_hold_is_an_error_and_no_crash(tmp_path: Path) -> None:
    with pytest.raises(ToolError):
        await list_tools(rude("polite", tmp_path).http, client.Place(PLACE.address, "with a \0 in it"))
