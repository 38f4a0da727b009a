"""Was this asked before? Who asks again with the same key gets the answer given then, and nothing happens twice.

The question, what it changes and its answer are one transaction that holds the write lock from its first statement.
"""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from app.demo.one_file import writing

REMEMBERED = timedelta(days=30)  # the API promises 24 hours


@dataclass(frozen=True)
class Answer:
    """A status and the JSON text that goes with it; `again` when it had been given before."""

    status: int
    text: str
    again: bool = False


def once(connection: sqlite3.Connection, key: str, question: str, decide: Callable[[], Answer]) -> Answer:
    """The answer to this question under this key: a new one by `decide`, or the one given before."""
    with writing(connection):
        before = connection.execute("SELECT * FROM answers WHERE key = ?", (key,)).fetchone()
        if before is not None:
            return _repeat(before, question)
        answer = decide()
        _remember(connection, key, question, answer)
        return answer


def answer_of(status: int, **fields: str | int) -> Answer:
    """An answer with these fields."""
    return Answer(status, json.dumps(fields, ensure_ascii=False))


def _repeat(before: sqlite3.Row, question: str) -> Answer:
    if before["question"] != question:
        return answer_of(422, error="idempotency_key_reused", message="This key came with another request before.")
    return Answer(before["status"], before["answer"], again=True)


def _remember(connection: sqlite3.Connection, key: str, question: str, answer: Answer) -> None:
    now = datetime.now(UTC)
    connection.execute("DELETE FROM answers WHERE given_at < ?", ((now - REMEMBERED).isoformat(),))
    connection.execute(
        "INSERT INTO answers VALUES (?, ?, ?, ?, ?)", (key, question, answer.status, answer.text, now.isoformat())
    )
