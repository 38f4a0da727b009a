"""Promise 8: the model never sees a stored secret, nor do traces, logs and errors, whatever a tool does with it."""

import base64
import json
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import select

from app.content import seal
from app.content.models import Content
from app.errors import OutcomeUnknown, ToolError
from app.policy.decision import Kind
from app.tools.catalogue import TOOLS
from app.tools.context import Context
from app.tools.tool import Effect, tool
from tests.people import Cast
from tests.scripted import Scripted, read, words
from tests.world import SHOP_KEY

FORMS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "json": json.dumps,
    "url": lambda key: quote(key, safe=""),
    "base64": lambda key: base64.b64encode(b"key=" + key.encode()).decode(),
    "hex": lambda key: key.encode().hex(),
}


@tool(kind=Kind.READ, in_words=lambda arguments: Effect("read", "…"))
async def leak(ctx: Context) -> Any:
    """Gives away what it should keep. Only tests have it. It does not exist anywhere else."""
    told = WAY["form"](ctx.secret("shop_key"))
    match WAY["how"]:
        case "result":
            return {"headers": {told: [told]}, "body": f"the key is {told}!"}
        case "error":
            raise ToolError(f"401 for {told}")
        case "unknown":
            raise OutcomeUnknown(f"no answer for {told}")
        case _:
            raise RuntimeError(f"a bug with {told} in it")


WAY: dict[str, Any] = {}


@pytest.fixture
def with_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool is in the catalogue."""
    monkeypatch.setitem(TOOLS, "leak", leak)


@pytest.mark.parametrize(
    ("how", "form"), [("result", form) for form in FORMS] + [("error", "plain"), ("unknown", "plain"), ("bug", "plain")]
)
async def test_a_tool_that_gives_a_secret_away_gives_away_nothing(
    scripted: Scripted,
    people: Cast,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    how: str,
    form: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    WAY.update(how=how, form=FORMS[form])
    monkeypatch.setitem(TOOLS, "leak", leak)
    await scripted.revise(people, listed_tools=["leak"])
    await scripted.give(people, [read("leak")], [words()])

    forbidden = {FORMS[form](SHOP_KEY).strip('"'), SHOP_KEY}
    if form == "base64":
        forbidden.add(base64.b64encode(SHOP_KEY.encode()).decode()[:20])
    everything = await kept(scripted, people) + [str(record.__dict__) for record in caplog.records]
    assert len(await scripted.calls(people.company, "leak")) == 1
    assert not [text for text in everything for secret in forbidden if secret in text]


async def kept(world: Scripted, people: Cast) -> list[str]:
    """All content of the company, opened: prompts, arguments, results, answers."""
    async with world.owner.tenant(people.company) as session:
        ids = list(await session.scalars(select(Content.id).where(Content.tenant_id == people.company)))
        opened = await seal.read_many(session, ids)
    return [json.dumps(value, ensure_ascii=False) for value in opened.values()]
