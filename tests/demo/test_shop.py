"""The shop never refunds more than was paid, and the same question gets the same answer."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from decimal import Decimal
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette

from app.demo.serving import listen
from app.demo.shop.application import create_app
from app.demo.shop.goods import PRODUCTS

Serve = Callable[[Starlette], AbstractContextManager[str]]
KEY = "the key of the shop"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> Iterator[str]:
    with serve(create_app(tmp_path_factory.mktemp("shop") / "shop.sqlite", KEY)) as url:
        yield url


@pytest.fixture
def shop(address: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {KEY}"}, verify=False) as client:
        yield client


def refund(shop: httpx2.Client, order: str, amount: str, *, key: str, reason: str = "broken") -> httpx2.Response:
    return shop.post(
        f"/orders/{order}/refunds", json={"amount": amount, "reason": reason}, headers={"Idempotency-Key": key}
    )


def test_an_order_is_told_in_full(shop: httpx2.Client) -> None:
    order = shop.get("/orders/MC-1042").json()
    assert order.pop("ordered_on") < time.strftime("%Y-%m-%d")
    assert order == {
        "order": "MC-1042",
        "customer": "Emma Walsh",
        "customer_email": "emma.walsh@example.com",
        "status": "delivered",
        "items": [
            {"name": "Tea cup, blue", "quantity": 2, "unit_price": "24.50"},
            {"name": "Shipping", "quantity": 1, "unit_price": "5.90"},
        ],
        "paid": "54.90",
        "refunded": "0.00",
        "currency": "EUR",
        "tracking": "DHL 00340434161094, delivered",
        "customer_note": "A birthday present for my sister, please no invoice in the parcel.",
    }


def test_every_total_is_the_sum_of_its_lines(shop: httpx2.Client) -> None:
    for number in range(1041, 1053):
        order = shop.get(f"/orders/MC-{number}").json()
        lines = sum(Decimal(item["unit_price"]) * item["quantity"] for item in order["items"])
        assert Decimal(order["paid"]) == lines >= Decimal(order["refunded"])
    assert shop.get("/orders/MC-1043").json()["tracking"].startswith("Colissimo")


def test_a_customer_s_orders_are_theirs_alone(shop: httpx2.Client) -> None:
    found = shop.get("/orders", params={"customer_email": "Emma.Walsh@Example.com"}).json()["orders"]
    assert [order["order"] for order in found] == ["MC-1042", "MC-1049"]
    assert shop.get("/orders", params={"customer_email": "tom.reed@example.org"}).json() == {"orders": []}
    assert shop.get("/orders").json() == {"error": "customer_email_missing"}


@pytest.mark.parametrize(
    "path", ["/orders/MC-1042", "/orders?customer_email=a", "/products", "/orders/MC-1042/refunds"]
)
def test_without_the_key_the_api_tells_nothing(address: str, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer guessed"}, {"Authorization": KEY}):
        answer = httpx2.get(f"{address}{path}", headers=headers)
        assert (answer.status_code, answer.json()) == (401, {"error": "key_invalid"})


def test_unknown_is_said_in_json(shop: httpx2.Client) -> None:
    for path in ("/orders/MC-9999", "/orders/MC-9999/refunds"):
        assert (shop.get(path).status_code, shop.get(path).json()) == (404, {"error": "order_unknown"})
    assert refund(shop, "MC-9999", "1.00", key="unknown").status_code == 404


def test_search_finds_all_words_whatever_case_and_accents(shop: httpx2.Client) -> None:
    found = shop.get("/products", params={"q": "VERVEINE"}).json()
    assert found["products"] == []
    found = shop.get("/products", params={"q": "verbena DROME"}).json()
    assert [(p["name"], p["price"]) for p in found["products"]] == [("Verbena from the Drôme", "8.90")]


def test_pages_of_products_hold_each_product_once(shop: httpx2.Client) -> None:
    offset: int | None = 0
    seen: list[str] = []
    while offset is not None:
        page = shop.get("/products", params={"offset": offset, "limit": 7}).json()
        seen += [product["sku"] for product in page["products"]]
        offset = page["next_offset"]
    assert sorted(seen) == sorted(product.sku for product in PRODUCTS)
    assert shop.get("/products", params={"limit": 101}).json() == {"error": "limit_invalid"}


def test_a_refund_is_booked_and_seen(shop: httpx2.Client) -> None:
    booked = refund(shop, "MC-1046", "19.00", key="first", reason="one cup broken")
    assert booked.status_code == 201
    assert (booked.json()["amount"], booked.json()["refunded"], booked.json()["paid"]) == ("19.00", "19.00", "62.90")
    listed = shop.get("/orders/MC-1046/refunds").json()
    assert [(r["refund"], r["amount"], r["reason"]) for r in listed["refunds"]] == [
        (booked.json()["refund"], "19.00", "one cup broken")
    ]
    assert "one cup broken" in httpx2.get(shop.base_url).text


def test_refunds_together_never_pass_what_was_paid(shop: httpx2.Client) -> None:
    assert refund(shop, "MC-1052", "40.00", key="a").status_code == 201
    above = refund(shop, "MC-1052", "40.00", key="b")
    assert above.status_code == 409
    told = above.json()
    assert (told["error"], told["paid"], told["refunded"], told["asked"]) == (
        "refund_above_paid",
        "60.40",
        "40.00",
        "40.00",
    )
    assert refund(shop, "MC-1052", "20.40", key="c").status_code == 201
    assert refund(shop, "MC-1052", "0.01", key="d").status_code == 409


def test_the_same_key_gets_the_same_answer_and_books_once(shop: httpx2.Client) -> None:
    first, again = (refund(shop, "MC-1050", "5.00", key="same") for _ in range(2))
    assert first.json() == again.json() and again.status_code == 201
    assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (None, "true")
    other = refund(shop, "MC-1050", "6.00", key="same")
    assert (other.status_code, other.json()["error"]) == (422, "idempotency_key_reused")
    assert refund(shop, "MC-1049", "5.00", key="same").status_code == 422
    assert shop.get("/orders/MC-1050").json()["refunded"] == "5.00"


@pytest.mark.parametrize("amount", ["0", "-1", "1.001", "NaN", "1e9", "ten", None])
def test_what_is_no_amount_is_refused(shop: httpx2.Client, amount: str | None) -> None:
    body = {"amount": amount, "reason": "broken"}
    answer = shop.post("/orders/MC-1041/refunds", json=body, headers={"Idempotency-Key": f"no {amount}"})
    assert (answer.status_code, answer.json()["error"]) == (422, "request_invalid")
    assert shop.get("/orders/MC-1041").json()["refunded"] == "0.00"


def test_a_refund_without_key_or_with_a_huge_body_is_refused(shop: httpx2.Client) -> None:
    body = {"amount": "1.00", "reason": "broken"}
    assert shop.post("/orders/MC-1041/refunds", json=body).json() == {"error": "idempotency_key_missing"}
    assert refund(shop, "MC-1041", "1.00", key="huge", reason="x" * 20_000).status_code == 413


async def fifty(address: str, *, keys: list[str]) -> list[int]:
    headers = {"Authorization": f"Bearer {KEY}"}
    body = {"amount": "7.30", "reason": "broken"}
    async with httpx2.AsyncClient(base_url=address, headers=headers, timeout=30) as client:
        asked = [client.post("/orders/MC-1043/refunds", json=body, headers={"Idempotency-Key": key}) for key in keys]
        return [answer.status_code for answer in await asyncio.gather(*asked)]


def test_fifty_refunds_at_once_stop_at_what_was_paid(address: str, shop: httpx2.Client) -> None:
    paid = Decimal(shop.get("/orders/MC-1043").json()["paid"])  # 104.70: fourteen times 7.30, and 2.50 left
    statuses = asyncio.run(fifty(address, keys=[f"at once {n}" for n in range(50)]))
    assert (statuses.count(201), statuses.count(409)) == (14, 36)
    assert Decimal(shop.get("/orders/MC-1043").json()["refunded"]) == 14 * Decimal("7.30") <= paid

    again = asyncio.run(fifty(address, keys=[f"at once {n}" for n in range(50)]))
    assert again == statuses
    assert len(shop.get("/orders/MC-1043/refunds").json()["refunds"]) == 14


def test_the_page_is_for_this_machine_and_runs_nothing(address: str) -> None:
    page = httpx2.get(address, headers={"Accept-Language": "fr-FR,fr;q=0.9"})
    assert "Remboursements" in page.text and "MC-1042" in page.text
    assert "default-src 'none'" in page.headers["Content-Security-Policy"] and "<script" not in page.text
    assert httpx2.get(f"{address}/style.css").headers["Content-Type"].startswith("text/css")
    assert httpx2.get(address, headers={"Host": "evil.example"}).status_code == 400


def test_the_process_of_the_shop_keeps_its_refunds_when_killed(tmp_path: Path) -> None:
    with listen(0) as free:
        port = free.getsockname()[1]
    files = ["--database", str(tmp_path / "shop.sqlite"), "--key-file", str(tmp_path / "shop.key")]
    command = [sys.executable, "-m", "app.demo.shop", "--port", str(port), *files]
    for refunded in ("0.00", "5.90"):
        process = subprocess.Popen(command, cwd=ROOT)
        try:
            client = httpx2.Client(base_url=f"http://127.0.0.1:{port}")
            wait_for(client)
            client.headers["Authorization"] = f"Bearer {(tmp_path / 'shop.key').read_text()}"
            assert client.get("/orders/MC-1042").json()["refunded"] == refunded
            refund(client, "MC-1042", "5.90", key="shipping")
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    assert (tmp_path / "shop.key").stat().st_mode & 0o777 == 0o600


def wait_for(client: httpx2.Client) -> None:
    for _ in range(200):
        try:
            client.get("/")
            return
        except httpx2.TransportError:
            time.sleep(0.05)
    raise AssertionError("the shop does not answer")
