"""What was asked of this server, and what would it have cost? An independent judge for tests, in memory only."""

from collections import Counter, deque
from dataclasses import fields

from pydantic import JsonValue

from app.model.practice.tokens import Usage

LAST_REFUSALS = 20


class Ledger:
    """Counts since the start or the last reset."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._statuses: Counter[int] = Counter()
        self._bill: Counter[str] = Counter()
        self._refusals: deque[str] = deque(maxlen=LAST_REFUSALS)
        self._answers = 0

    def refused(self, status: int, message: str) -> None:
        self._statuses[status] += 1
        self._refusals.append(message)

    def answered(self, usage: Usage) -> None:
        """Counted when the answer is made: a real model bills it too when the connection breaks afterwards."""
        self._statuses[200] += 1
        self._answers += 1
        for field in fields(usage):
            self._bill[field.name] += getattr(usage, field.name)

    def as_json(self) -> dict[str, JsonValue]:
        return {
            "requests": sum(self._statuses.values()),
            "answers": self._answers,
            "status_400": self._statuses[400],
            "by_status": {str(status): times for status, times in sorted(self._statuses.items())},
            "refusals": list(self._refusals),
            "bill": {field.name: self._bill[field.name] for field in fields(Usage)},
        }
