"""How does the shop keep its catalogue and its orders? In one SQLite file; amounts in cents."""

import sqlite3
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.demo.one_file import make_file, open_file, writing
from app.demo.shop.goods import PRODUCTS, Order, orders

CURRENCY = "EUR"
SCHEMA = """
CREATE TABLE IF NOT EXISTS products (
  sku TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, cents INTEGER NOT NULL, stock INTEGER NOT NULL,
  searched TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS orders (
  number TEXT PRIMARY KEY, customer TEXT NOT NULL, email TEXT NOT NULL COLLATE NOCASE, status TEXT NOT NULL,
  ordered_on TEXT NOT NULL, paid INTEGER NOT NULL, tracking TEXT NOT NULL, note TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS items (
  number TEXT NOT NULL REFERENCES orders, position INTEGER NOT NULL, name TEXT NOT NULL, quantity INTEGER NOT NULL,
  cents INTEGER NOT NULL, PRIMARY KEY (number, position)
) STRICT;
CREATE TABLE IF NOT EXISTS refunds (
  id INTEGER PRIMARY KEY, number TEXT NOT NULL REFERENCES orders, cents INTEGER NOT NULL CHECK (cents > 0),
  reason TEXT NOT NULL, booked_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS refunds_of_order ON refunds (number);
CREATE TABLE IF NOT EXISTS answers (
  key TEXT PRIMARY KEY, question TEXT NOT NULL, status INTEGER NOT NULL, answer TEXT NOT NULL, given_at TEXT NOT NULL
) STRICT;
"""


@dataclass(frozen=True)
class Page:
    """Some products, and how many there are in all."""

    products: Sequence[sqlite3.Row]
    total: int


def prepare(database: Path) -> None:
    """Make the tables, and fill them if the shop is new."""
    make_file(database, SCHEMA)
    with open_file(database) as connection, writing(connection):
        if connection.execute("SELECT 1 FROM orders").fetchone() is None:
            _fill(connection)


def _fill(connection: sqlite3.Connection) -> None:
    connection.executemany(
        "INSERT INTO products VALUES (?, ?, ?, ?, ?, ?)",
        [(p.sku, p.name, p.description, p.cents, p.stock, plain(f"{p.name} {p.description}")) for p in PRODUCTS],
    )
    now = datetime.now(UTC)
    for order in orders(now.date()):
        _insert(connection, order, now)


def _insert(connection: sqlite3.Connection, order: Order, now: datetime) -> None:
    paid = sum(item.quantity * item.cents for item in order.items)
    ordered_on = (now - timedelta(days=order.days_ago)).date().isoformat()
    connection.execute(
        "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (order.number, order.customer, order.email, order.status, ordered_on, paid, order.tracking, order.note),
    )
    connection.executemany(
        "INSERT INTO items VALUES (?, ?, ?, ?, ?)",
        [(order.number, n, item.name, item.quantity, item.cents) for n, item in enumerate(order.items)],
    )
    connection.executemany(
        "INSERT INTO refunds (number, cents, reason, booked_at) VALUES (?, ?, ?, ?)",
        [(order.number, cents, reason, now.isoformat(timespec="seconds")) for cents, reason in order.refunded],
    )


def find_orders(connection: sqlite3.Connection, *, number: str = "", email: str = "") -> list[sqlite3.Row]:
    """The orders of this number or this customer, all of them without either; each with what was refunded."""
    return connection.execute(
        "SELECT *, (SELECT coalesce(sum(cents), 0) FROM refunds WHERE refunds.number = orders.number) AS refunded"
        " FROM orders WHERE :number IN ('', number) AND (:email = '' OR email = :email) ORDER BY number",
        {"number": number, "email": email},
    ).fetchall()


def find_items(connection: sqlite3.Connection, number: str) -> list[sqlite3.Row]:
    """The lines of an order."""
    return connection.execute("SELECT * FROM items WHERE number = ? ORDER BY position", (number,)).fetchall()


def find_refunds(connection: sqlite3.Connection, number: str) -> list[sqlite3.Row]:
    """What was refunded on an order, oldest first."""
    return connection.execute("SELECT * FROM refunds WHERE number = ? ORDER BY id", (number,)).fetchall()


def find_products(connection: sqlite3.Connection, words: str, *, offset: int, limit: int) -> Page:
    """Products that carry every one of the words, whatever their case, accents and plural."""
    found = [
        row
        for row in connection.execute("SELECT * FROM products ORDER BY name").fetchall()
        if all(word.removesuffix("s") in row["searched"] for word in plain(words).split())
    ]
    return Page(found[offset : offset + limit], len(found))


def find_product(connection: sqlite3.Connection, sku: str) -> sqlite3.Row | None:
    """One article."""
    found: sqlite3.Row | None = connection.execute("SELECT * FROM products WHERE sku = ?", (sku,)).fetchone()
    return found


def product_as_json(row: sqlite3.Row) -> dict[str, str | int]:
    """An article as the API tells it."""
    return {
        "sku": row["sku"],
        "name": row["name"],
        "description": row["description"],
        "price": money(row["cents"]),
        "currency": CURRENCY,
        "stock": row["stock"],
    }


def plain(text: str) -> str:
    """Small letters without accents, as a customer types them."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def money(cents: int) -> str:
    """An amount as people and the API write it: two decimals."""
    return f"{cents // 100}.{cents % 100:02d}"
