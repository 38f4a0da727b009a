"""What may be changed of an article? Its name, its text, its price; a price only by whoever knows what it is now."""

import json
import sqlite3
from decimal import Decimal
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.demo.shop.answers import Answer, answer_of, once
from app.demo.shop.store import find_product, plain, product_as_json


class ProductChange(BaseModel):
    """What somebody wants to be different. `was` is the price that they saw."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: str | None = Field(None, min_length=1, max_length=80)
    description: str | None = Field(None, min_length=1, max_length=1000)
    price: Decimal | None = Field(None, gt=0, le=100_000, decimal_places=2)
    was: Decimal | None = Field(None, ge=0, le=100_000, decimal_places=2)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.name is None and self.description is None and self.price is None:
            raise ValueError("nothing to change")
        if (self.price is None) is not (self.was is None):
            raise ValueError("price and was come together")
        return self


def change(connection: sqlite3.Connection, sku: str, asked: ProductChange, key: str) -> Answer:
    """Answer a request to change an article: changed, another price meanwhile, article unknown, or as before."""
    question = json.dumps([sku, asked.model_dump(mode="json")])
    return once(connection, key, question, lambda: _change(connection, sku, asked))


def remove(connection: sqlite3.Connection, sku: str, key: str) -> Answer:
    """Answer a request to take an article out of the catalogue."""
    return once(connection, key, json.dumps([sku, "remove"]), lambda: _remove(connection, sku))


def _change(connection: sqlite3.Connection, sku: str, asked: ProductChange) -> Answer:
    if (there := find_product(connection, sku)) is None:
        return answer_of(404, error="product_unknown", message=f"There is no article {sku}.")
    price, was = _cents(asked.price), _cents(asked.was)
    if price is not None and was != there["cents"]:
        now = product_as_json(there)["price"]
        return answer_of(409, error="price_is_another", message=f"The price is {now} EUR by now.", price=str(now))
    name, text = asked.name or there["name"], asked.description or there["description"]
    connection.execute(
        "UPDATE products SET name = ?, description = ?, cents = ?, searched = ? WHERE sku = ?",
        (name, text, price or there["cents"], plain(f"{name} {text}"), sku),
    )
    after = find_product(connection, sku)
    assert after is not None  # nobody else writes meanwhile
    return Answer(200, json.dumps(product_as_json(after), ensure_ascii=False))


def _remove(connection: sqlite3.Connection, sku: str) -> Answer:
    gone = connection.execute("DELETE FROM products WHERE sku = ?", (sku,)).rowcount
    if not gone:
        return answer_of(404, error="product_unknown", message=f"There is no article {sku}.")
    return answer_of(200, removed=sku)


def _cents(amount: Decimal | None) -> int | None:
    return None if amount is None else int(amount * 100)
