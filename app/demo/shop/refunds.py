"""May this refund be booked? Never more than was paid, over all refunds of the order together.

The rule and the booking are one transaction that holds the write lock from its first statement, so that
fifty requests at once add up as if they came one by one. What was answered to an Idempotency-Key is kept
in the same transaction: who asks again, because the reply was lost, gets that answer and nothing is booked.
"""

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from app.demo.one_file import writing
from app.demo.shop.store import CURRENCY, find_orders, money

REMEMBERED = timedelta(days=30)  # the API promises 24 hours


class RefundRequest(BaseModel):
    """What somebody asks for: an amount in euros, and why."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    amount: Decimal = Field(gt=0, le=100_000, decimal_places=2)
    reason: str = Field(min_length=1, max_length=500)

    @property
    def cents(self) -> int:
        return int(self.amount * 100)


@dataclass(frozen=True)
class Answer:
    """A status and the JSON text that goes with it; `again` when it had been given before."""

    status: int
    text: str
    again: bool = False


def book(connection: sqlite3.Connection, number: str, asked: RefundRequest, key: str) -> Answer:
    """Answer a request for a refund: booked, above what was paid, order unknown, or the answer given before."""
    question = json.dumps([number, asked.cents, asked.reason])
    with writing(connection):
        before = connection.execute("SELECT * FROM answers WHERE key = ?", (key,)).fetchone()
        if before is not None:
            return _repeat(before, question)
        answer = _decide(connection, number, asked)
        _remember(connection, key, question, answer)
        return answer


def _repeat(before: sqlite3.Row, question: str) -> Answer:
    if before["question"] != question:
        return _say(422, error="idempotency_key_reused", message="This key came with another request before.")
    return Answer(before["status"], before["answer"], again=True)


def _decide(connection: sqlite3.Connection, number: str, asked: RefundRequest) -> Answer:
    found = find_orders(connection, number=number)
    if not found:
        return _say(404, error="order_unknown", message=f"There is no order {number}.")
    paid, refunded = found[0]["paid"], found[0]["refunded"]
    if refunded + asked.cents > paid:
        return _say(
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
    return _say(
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


def _remember(connection: sqlite3.Connection, key: str, question: str, answer: Answer) -> None:
    now = datetime.now(UTC)
    connection.execute("DELETE FROM answers WHERE given_at < ?", ((now - REMEMBERED).isoformat(),))
    connection.execute(
        "INSERT INTO answers VALUES (?, ?, ?, ?, ?)", (key, question, answer.status, answer.text, now.isoformat())
    )


def _say(status: int, **fields: str) -> Answer:
    return Answer(status, json.dumps(fields, ensure_ascii=False))
