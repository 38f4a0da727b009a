"""What is a ceiling? A total that an employee stays under: of which tools, of what, for whom, in which period.

Ceilings stand in the job sheet's version (who set them, when, and what changed are answered there); what is used of
each stands in counters apart. They hold metadata only, so that a trail may name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic import JsonValue

from app.policy.words import N_, Said


class Per(StrEnum):
    """Whose calls are added up."""

    ALL = "all"
    TARGET = "target"  # those that go to the same place: one order, one recipient
    CORRESPONDENT = "correspondent"  # those of tasks with the same customer


class Period(StrEnum):
    """How long a total counts, in the company's own time zone."""

    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One ceiling of a job sheet. `counts` names the argument whose sum counts; None: each call counts as one."""

    id: str
    tools: frozenset[str]
    counts: str | None
    per: Per
    period: Period
    limit: Decimal
    soft: bool = False
    unit: str = ""
    since: datetime | None = None  # when it began to count; set by whoever saves the job sheet

    def span(self, today: date) -> str:
        """The name of the period that `today` is in: "2026-12" or "2026-12-03"."""
        return today.strftime("%Y-%m") if self.period is Period.MONTH else today.isoformat()

    def first_day(self, today: date) -> date:
        """The day on which that period began."""
        return today.replace(day=1) if self.period is Period.MONTH else today

    @property
    def measure(self) -> tuple[object, ...]:
        """What it adds up; two with the same measure may share a total, whatever their limits."""
        return (self.tools, self.counts, self.per, self.period)

    @property
    def name(self) -> str:
        """Its limit as people read it in any language: "150 EUR", "20 ×"."""
        return f"{self.limit.normalize():f} {self.unit or '×'}"

    def to_json(self) -> dict[str, JsonValue]:
        """As it stands in the job sheet's row."""
        return {
            "id": self.id,
            "tools": [*sorted(self.tools)],
            "counts": self.counts,
            "per": self.per.value,
            "period": self.period.value,
            "limit": str(self.limit),
            "soft": self.soft,
            "unit": self.unit,
            "since": self.since.isoformat() if self.since else None,
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Ceiling:
        """Read a stored one; a word that is not ours raises ValueError, so nothing is decided by it."""
        return cls(
            id=str(kept["id"]),
            tools=frozenset(str(tool) for tool in kept["tools"]),
            counts=kept["counts"],
            per=Per(kept["per"]),
            period=Period(kept["period"]),
            limit=Decimal(str(kept["limit"])),
            soft=bool(kept["soft"]),
            unit=str(kept["unit"]),
            since=datetime.fromisoformat(kept["since"]) if kept["since"] else None,
        )


SUMS: Mapping[tuple[Per, Period], str] = {
    (Per.ALL, Period.DAY): N_("At most %(limit)s %(unit)s a day"),
    (Per.ALL, Period.MONTH): N_("At most %(limit)s %(unit)s a month"),
    (Per.TARGET, Period.DAY): N_("At most %(limit)s %(unit)s a day for each order or recipient"),
    (Per.TARGET, Period.MONTH): N_("At most %(limit)s %(unit)s a month for each order or recipient"),
    (Per.CORRESPONDENT, Period.DAY): N_("At most %(limit)s %(unit)s a day for each customer"),
    (Per.CORRESPONDENT, Period.MONTH): N_("At most %(limit)s %(unit)s a month for each customer"),
}
COUNTS: Mapping[tuple[Per, Period], str] = {
    (Per.ALL, Period.DAY): N_("At most %(limit)s times a day"),
    (Per.ALL, Period.MONTH): N_("At most %(limit)s times a month"),
    (Per.TARGET, Period.DAY): N_("At most %(limit)s times a day for each order or recipient"),
    (Per.TARGET, Period.MONTH): N_("At most %(limit)s times a month for each order or recipient"),
    (Per.CORRESPONDENT, Period.DAY): N_("At most %(limit)s times a day for each customer"),
    (Per.CORRESPONDENT, Period.MONTH): N_("At most %(limit)s times a month for each customer"),
}
BEYOND: Mapping[bool, str] = {
    True: N_("Above it, the employee asks first."),
    False: N_("Above it, nothing is done."),
}


def in_words(ceiling: Ceiling) -> Said:
    """The ceiling as a sentence, before translation; BEYOND says what happens above it."""
    sentence = (COUNTS if ceiling.counts is None else SUMS)[ceiling.per, ceiling.period]
    return Said(sentence, {"limit": f"{ceiling.limit.normalize():f}", "unit": ceiling.unit})
