"""R24 in CI's size: canary secrets in every encoding come back in results, errors and crashes; none gets anywhere."""

import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated

import pytest
from pydantic import Field, JsonValue
from sqlalchemy import LargeBinary, select
from starlette.middleware.base import BaseHTTPMiddleware

from app.connections.connectors import TOOL_SERVERS
from app.connections.enter import put
from app.content import seal
from app.content.models import Content
from app.errors import ToolError
from app.logs import JsonLines
from app.model.client import ModelClient
from app.model.practice.server import create_app
from app.policy.decision import Kind
from app.tools.catalogue import TOOLS
from app.tools.mask import MASKED
from app.tools.tool import Effect, tool
from tests.house.rows import TENANT_TABLES
from tests.scripted import Scripted, read, words
from tests.serving import serving
from tests.tool_servers.conftest import Crm
from tests.tools.test_mask import encodings

CANARIES = [f'canary {n}: Ünique/+value&<{n}>"quoted"' for n in range(5)] + ["sk-live-9f8e7d6c5b4a"]
WAYS = dict(encodings())
LEAKED = [f"{way(canary)}" for canary in CANARIES for way in WAYS.values()]
EXPECTED = len(LEAKED)


def _leaky(name: str, leak: Callable[[str], JsonValue]):
    async def function(ctx, part: Annotated[int, Field(description="Which part of it.")]) -> JsonValue:
        """Says what should not be said. Use it in this test. It does not change anything."""
        return leak(" ".join(LEAKED[part::4]))

    function.__name__ = name
    return tool(kind=Kind.READ, in_words=lambda _: Effect("read", "Leak"), uses_a_run=10)(function)


def _raise(error: Exception) -> JsonValue:
    raise error


LEAKS = {
    "leak_result": _leaky("leak_result", lambda text: {"page": [text], text[:60]: "as a name"}),
    "leak_error": _leaky("leak_error", lambda text: _raise(ToolError(f"The shop says: {text}"))),
    "leak_crash": _leaky("leak_crash", lambda text: _raise(RuntimeError(text))),
}


@asynccontextmanager
async def recorded(world: Scripted) -> AsyncIterator[list[str]]:
    """A practice model that keeps every byte that it is asked."""
    prompts: list[str] = []
    app = create_app()

    async def keep(request, go_on):
        prompts.append((await request.body()).decode())
        return await go_on(request)

    app.add_middleware(BaseHTTPMiddleware, dispatch=keep)
    before = world.house
    async with serving(app) as url:
        settings = before.settings.model_copy(update={"anthropic_base_url": url})
        world.house = replace(before, settings=settings, model=ModelClient(settings))
        yield prompts
        await world.house.model.close()
        world.house = before


async def everything(crm: Crm) -> str:
    """All of the database that this company's rows hold, with what is sealed opened; keys stay where they belong."""
    found: list[str] = []
    async with crm.owner.tenant(crm.people.company) as session:
        for table in TENANT_TABLES:
            columns = [column for column in table.columns if not isinstance(column.type, LargeBinary)]
            rows = await session.execute(select(*columns).where(table.c.tenant_id == crm.people.company))
            found += [str(row) for row in rows]
        ids = list(await session.scalars(select(Content.id)))
        found += [json.dumps(value, ensure_ascii=False) for value in (await seal.read_many(session, ids)).values()]
    return "\n".join([*found, repr(await crm.seen())])


async def test_no_canary_is_found_in_prompts_database_or_logs(
    crm: Crm, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with crm.web.tenant(crm.people.company) as session:
        for number, canary in enumerate(CANARIES):
            await put(session, TOOL_SERVERS, f"canary{number}", canary, by=crm.people.omar.member)
    for name, leak in LEAKS.items():
        monkeypatch.setitem(TOOLS, name, leak)
    await crm.gets(*LEAKS)
    caplog.set_level(logging.DEBUG)
    turns = [[read(name, part=part)] for part in range(4) for name in ("leak_result", "leak_error", "leak_crash")]
    async with recorded(crm.world) as prompts:
        for turn in turns:
            await crm.world.give(crm.people, turn, [words()])
    formatter = JsonLines()
    logged = "\n".join(formatter.format(record) for record in caplog.records if record.name.startswith("app"))
    places = {"prompts": "\n".join(prompts), "database": await everything(crm), "logs": logged}

    for place, text in places.items():
        assert [leaked for leaked in LEAKED if leaked in text or json.dumps(leaked)[1:-1] in text] == [], place
    masked = {place: text.count(MASKED) + text.count(json.dumps(MASKED)[1:-1]) for place, text in places.items()}
    print(f"R24: {len(CANARIES)} canaries x {len(WAYS)} encodings, maskings {masked}")
    assert all(count >= EXPECTED for count in masked.values()) and sum(masked.values()) >= 700
