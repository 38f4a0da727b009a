"""May this refund be booked? Never more than was paid, over all refunds of the order together.

The rule and the booking are one transaction that holds the write lock from its first statement (answers.py), so that
fifty requests at once add up as if they came one by one.
"""

import json
import sqlite3
from datetime import UTC, datetime
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from app.demo.shop.answers import Answer, answer_of, once
from app.demo.shop.store import CURRENCY, find_orders, money


class RefundRequest(BaseModel):
    """What somebody asks for: an amount in euros, and why."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    amount: Decimal = Field(gt=0, le=100_000, decimal_places=2)
    reason: str = Field(min_length=1, max_length=500)

    @property
    def cents(self) -> int:
        return int(self.amount * 100)


def book(connection: sqlite3.Connection, number: str, asked: RefundRequest, key: str) -> Answer:
    """Answer a request for a refund: booked, above what was paid, order unknown, or the answer given before."""
    question = json.dumps([number, asked.cents, asked.reason])
    return once(connection, key, question, lambda: _decide(connection, number, asked))


def _decide(connection: sqlite3.Connection, number: str, asked: RefundRequest) -> Answer:
    found = find_orders(connection, number=number)
    if not found:
        return answer_of(404, error="order_unknown", message=f"There is no order {number}.")
    paid, refunded = found[0]["paid"], found[0]["refunded"]
    if refunded + asked.cents > paid:
        return answer_of(
            409,
            error="refund_above_paid",
            message=f"At most {money(paid - refunded)} {CURRENCY} can still be refunded.",
            paid=money(paid),
            refunded=money(refunded),
            asked=money(asked.cents),
        )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    booked = connection.execute(
        "INSERT INTO refunds (number, cents, reason, booked_at) VALUES (?, ?, ?, ?)",
        (number, asked.cents, asked.reason, now),
    )
    return answer_of(
        201,
        refund=f"RF-{booked.lastrowid}",
        order=number,
        amount=money(asked.cents),
        currency=CURRENCY,
        reason=asked.reason,
        booked_at=now,
        paid=money(paid),
        refunded=money(refunded + asked.cents),
    )
