"""The README's "write a tool" is ten lines, and they work: asked as an act, bound to the customer, over real HTTP."""

import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, cast

import pytest
from pydantic import Field, JsonValue

from app.policy.decide import decide
from app.policy.decision import Facts, Kind, Mode
from app.tools.context import Context
from app.tools.going_out import Guard
from app.tools.http import Http
from app.tools.tool import ArgumentsInvalid, Bound, Effect, Target, Tool, tool
from tests.corpora.listener import Listener, answer

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
LINES = README.split("## Write a tool")[1].split("```python\n")[1].split("```")[0]


def voucher_in_words(arguments: Mapping[str, JsonValue]) -> Effect:
    return Effect("arguments", "Send a voucher of %(amount)s EUR", {"amount": str(arguments.get("amount"))})


@pytest.fixture
def send_voucher() -> Tool:
    """The lines as somebody would paste them."""
    names = {"Annotated": Annotated, "Bound": Bound, "Context": Context, "Decimal": Decimal, "Field": Field}
    names |= {"JsonValue": JsonValue, "Kind": Kind, "Target": Target, "timedelta": timedelta, "tool": tool}
    names |= {"voucher_in_words": voucher_in_words}
    exec(LINES, names)
    return cast(Tool, names["send_voucher"])


def test_they_are_ten() -> None:
    assert len(LINES.strip().splitlines()) == 10


def test_what_they_make_asks_and_goes_to_the_customer_of_the_task_only(send_voucher: Tool) -> None:
    assert decide(Facts(send_voucher.view())).mode is Mode.ASK
    assert send_voucher.check({"amount": "20"}, {"correspondent": "emma@example.com"}) == {
        "amount": "20",
        "to": "emma@example.com",
    }
    for given in ({"amount": "51"}, {"amount": "20", "to": "thief@example.com"}):
        with pytest.raises(ArgumentsInvalid):
            send_voucher.check(cast(Mapping[str, JsonValue], given), {"correspondent": "emma@example.com"})


async def test_they_do_what_they_say(send_voucher: Tool) -> None:
    with Listener(reply=lambda _: answer(b'{"voucher": "V-1"}')) as shop:
        given: dict[str, Any] = {field.name: None for field in fields(Context)}
        address = {"shop_url": f"http://127.0.0.1:{shop.port}"}
        ctx = Context(**given | {"http": Http(Guard([f"127.0.0.1:{shop.port}"])), "secrets": address})
        result = await send_voucher.run(ctx, {"amount": "20", "to": "emma@example.com"})
    assert result == {"voucher": "V-1"}
    assert re.match("POST /vouchers ", shop.seen[0].head)
