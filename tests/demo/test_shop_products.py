"""An article is changed by whoever knows what it is now, once per key, and never by accident."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from app.demo.shop.application import create_app
from tests.demo.test_shop import KEY, Serve


@pytest.fixture
def shop(tmp_path: Path, serve: Serve) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {KEY}"}
    with (
        serve(create_app(tmp_path / "shop.sqlite", KEY)) as url,
        httpx2.Client(base_url=url, headers=headers, verify=False) as client,
    ):
        yield client


def patch(shop: httpx2.Client, key: str, sku: str = "CUP-BLUE", **body: str) -> httpx2.Response:
    return shop.patch(f"/products/{sku}", json=body, headers={"Idempotency-Key": key})


def test_an_article_is_told_in_full(shop: httpx2.Client) -> None:
    assert shop.get("/products/CUP-BLUE").json() == {
        "sku": "CUP-BLUE",
        "name": "Tea cup, blue",
        "description": "Hand-thrown stoneware, 250 ml, dishwasher-safe.",
        "price": "24.50",
        "currency": "EUR",
        "stock": 14,
    }
    assert shop.get("/products/NO-SUCH").status_code == 404


def test_a_text_is_changed_and_found_by_its_new_words(shop: httpx2.Client) -> None:
    assert patch(shop, "1", description="A cup the colour of the sea.").json()["price"] == "24.50"
    assert [p["sku"] for p in shop.get("/products", params={"q": "sea"}).json()["products"]] == ["CUP-BLUE"]


def test_a_price_is_changed_by_whoever_knows_it(shop: httpx2.Client) -> None:
    assert patch(shop, "1", price="27.00", was="24.50").json()["price"] == "27.00"
    late = patch(shop, "2", price="22.00", was="24.50")
    assert (late.status_code, late.json()["price"]) == (409, "27.00")


def test_of_twenty_who_saw_the_same_price_one_changes_it(shop: httpx2.Client) -> None:
    with ThreadPoolExecutor(20) as many:
        answers = list(many.map(lambda n: patch(shop, f"k{n}", price=f"{30 + n}.00", was="24.50"), range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19


def test_the_same_key_gets_the_same_answer_and_another_question_none(shop: httpx2.Client) -> None:
    first, again = (patch(shop, "1", price="27.00", was="24.50") for _ in range(2))
    assert first.json() == again.json() and again.headers["Idempotent-Replayed"] == "true"
    assert patch(shop, "1", price="1.00", was="27.00").status_code == 422
    assert shop.get("/products/CUP-BLUE").json()["price"] == "27.00"


@pytest.mark.parametrize("body", [{}, {"price": "27.00"}, {"price": "0", "was": "24.50"}, {"name": ""}, {"stock": "5"}])
def test_what_makes_no_sense_changes_nothing(shop: httpx2.Client, body: dict[str, str]) -> None:
    before = shop.get("/products/CUP-BLUE").json()
    assert patch(shop, "1", **body).status_code == 422
    assert shop.get("/products/CUP-BLUE").json() == before


def test_an_article_is_removed_once_and_needs_a_key(shop: httpx2.Client) -> None:
    assert shop.delete("/products/CUP-BLUE").status_code == 422
    assert shop.delete("/products/CUP-BLUE", headers={"Idempotency-Key": "1"}).json() == {"removed": "CUP-BLUE"}
    assert shop.delete("/products/CUP-BLUE", headers={"Idempotency-Key": "2"}).status_code == 404
