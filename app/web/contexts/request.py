"""What does a person see who is asked?"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from app.policy.decision import Decision
from app.web.contexts.chrome import Employee, Field, Foreign, Person, Tone
from app.web.contexts.effects import Effect
from app.web.contexts.grants import Offer


@dataclass(frozen=True, slots=True)
class RefusedBefore:
    title: str
    by: Person | None  # None: nobody answered in time
    at: datetime
    word: str


@dataclass(frozen=True, slots=True)
class Change:
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Answered:
    """How a request ended, and what became of it."""

    verdict: Literal["approved", "changed", "rejected", "expired", "withdrawn", "superseded"]
    at: datetime
    by: Person | None = None
    word: str = ""
    changes: tuple[Change, ...] = ()
    outcome: str = ""  # "The mail left at 14:03." "Not sent yet." "The shop refused: …"
    tone: Tone = "calm"


@dataclass(frozen=True, slots=True)
class RequestPage:
    id: str
    employee: Employee
    title: str
    effect: Effect
    why: str
    outside: bool
    decision: Decision
    asked_at: datetime
    expires_at: datetime
    task_url: str  # /tasks/<id>
    task_title: str
    conversation_url: str
    pending: bool = True
    urgent: bool = False  # less than a day left
    can_decide: bool = True
    who_can: tuple[Person, ...] = ()  # who may decide, where I may not
    read_before: tuple[Foreign, ...] = ()
    refused_before: tuple[RefusedBefore, ...] = ()
    totals: tuple[str, ...] = ()  # "Refunded by Camille today: 24.90 EUR, once."
    fields: tuple[Field, ...] = ()  # the change form, names "change.<argument>"; empty: cannot be changed
    opened: Literal["", "change", "reject"] = ""  # which form is open (after an error, or ?open=change)
    word: Field = field(default_factory=lambda: Field("word", "", kind="long", required=False))  # reject with a word
    form_error: str = ""  # above the change form: "Not more than 65.00 EUR can be refunded."
    offers: tuple[Offer, ...] = ()  # "always in this conversation", narrow first; empty: not offered
    ability: str = ""  # what the offers are about: "Send a mail"
    answered: Answered | None = None
    conflict: bool = False  # my answer came second: 409
    no_longer: str = ""  # why it cannot be approved any more: "Camille was paused." ; rejecting still works
    position: int = 0  # 1-based among mine; 0: not in my list
    total: int = 0
    next_url: str = ""
    previous_url: str = ""
