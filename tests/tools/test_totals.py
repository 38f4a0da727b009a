"""A rule on totals holds through Placet's own tool, also under 50 at once: the shop and its books are the judge."""

import asyncio
import uuid
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2

from app.demo.shop.application import create_app
from app.errors import ToolError
from app.tools.catalogue import TOOLS
from app.tools.context import Context
from app.tools.going_out import Guard
from app.tools.http import Http
from tests.serving import serving

KEY = "the key of the shop"


async def test_of_fifty_refunds_at_once_as_many_are_booked_as_were_paid_for(tmp_path: Path) -> None:
    async with serving(create_app(tmp_path / "shop.sqlite", KEY)) as url:
        ctx = a_context(Http(Guard([url.removeprefix("http://")])), {"shop_url": url, "shop_key": KEY})
        outcomes = Counter(await asyncio.gather(*(refunded(ctx, "MC-1042", "10.00") for _ in range(50))))
        async with httpx2.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {KEY}"}) as shop:
            books = (await shop.get("/orders/MC-1042/refunds")).json()

    assert outcomes == {"booked": 5, "refused": 45}  # 54.90 were paid
    assert Decimal(books["refunded"]) == 50 and len(books["refunds"]) == 5


async def refunded(ctx: Context, order: str, amount: str) -> str:
    mine = replace(ctx, idempotency_key=str(uuid.uuid4()))
    try:
        await TOOLS["refund_order"].run(mine, {"amount": amount, "reason": "broken", "order": order})
    except ToolError as refusal:
        assert "54.90 EUR paid in total" in str(refusal)
        return "refused"
    return "booked"


def a_context(http: Http, secrets: dict[str, str]) -> Context:
    nobody: Any = None
    some = uuid.uuid4()
    return Context(
        tenant_id=some,
        agent_id=some,
        agent_name="Camille",
        run_id=some,
        conversation_id=some,
        about={},
        idempotency_key="",
        drawn_from_outside=False,
        now=datetime.now(UTC),
        transaction=nobody,
        http=http,
        mail=nobody,
        secrets=secrets,
    )
