"""What does the page of a task show?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.policy.decision import Decision
from app.web.contexts.chrome import Employee, Foreign, Person, Row, Tone


@dataclass(frozen=True, slots=True)
class Bar:
    """A piece of the waterfall, in thousandths of the task's working time."""

    start: int
    width: int


@dataclass(frozen=True, slots=True)
class Tokens:
    read: int
    read_again: int  # from the cache
    kept: int  # written to the cache
    written: int


@dataclass(frozen=True, slots=True)
class CallView:
    id: str
    title: str  # "Looked up order MC-1042"; "Send a mail to …"
    state: str  # in words: "done", "waiting for you", "refused by Nadia", "nobody knows whether it happened"
    tone: Tone
    at: datetime
    seconds: float
    bar: Bar
    decision: Decision
    why: str = ""
    outside: bool = False
    rows: tuple[Row, ...] = ()  # what it was asked to do, in full
    result: str = ""  # ours
    foreign: Foreign | None = None  # or foreign
    request_url: str = ""
    by: Person | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class TurnView:
    number: int
    at: datetime
    seconds: float
    bar: Bar
    said: str  # what the employee said, may be empty
    outside: bool
    calls: tuple[CallView, ...]
    tokens: Tokens
    cost: Decimal
    note: str = ""  # "The answer was cut off and asked for again."


@dataclass(frozen=True, slots=True)
class RunPage:
    id: str
    title: str
    employee: Employee
    origin: str  # "Started by a mail from …", "Given by you"
    state: str
    tone: Tone
    why_ended: str
    started_at: datetime
    ended_at: datetime | None
    worked_seconds: float
    waited_seconds: float
    turns: tuple[TurnView, ...]
    tokens: Tokens
    cost: Decimal
    currency: str
    model: str
    conversation_url: str
    live: bool = False  # still going
