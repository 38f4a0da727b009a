"""What does the inbox show?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.web.contexts.chrome import Employee, Person


@dataclass(frozen=True, slots=True)
class Card:
    """A waiting request in a list. Also alone: inbox/_card.html with `card` and `chrome`."""

    id: str
    url: str  # /requests/<id>
    employee: Employee
    title: str  # "Refund 24.90 EUR", "Send a mail to claire@example.org": what the code knows
    about: str  # "Order MC-1042, Claire Dubois"; "Your order MC-1042"
    why: str  # the employee's sentence
    outside: bool  # it had read something from outside
    asked_at: datetime
    expires_at: datetime
    kind: Literal["mail", "refund", "arguments"] = "arguments"
    urgent: bool = False  # less than a day left
    waits_for: tuple[Person, ...] = ()  # for others: who can decide


@dataclass(frozen=True, slots=True)
class Question:
    """An effect of which nobody knows whether it happened."""

    id: str
    url: str  # its task
    settle_url: str  # /questions/<id>/answer
    employee: Employee
    title: str  # "Refund €24.90 on order MC-1042"
    what: str  # "The shop did not answer after the refund was sent."
    where_to_look: str  # "Look at the order in the shop."
    since: datetime
    can_settle: bool = True
    can_do_it: bool = False  # it did not happen, and the task still waits for it


@dataclass(frozen=True, slots=True)
class TrialOver:
    """A trial whose last day is over, and that goes on until somebody says so."""

    employee: Employee
    url: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Done:
    """What was done without asking in one task."""

    at: datetime
    employee: Employee
    title: str  # of the task
    what: str  # "Read the customer’s mail, look up order MC-1042, keep a draft"
    url: str


@dataclass(frozen=True, slots=True)
class Note:
    """What the employee wanted the manager to know (tell_manager)."""

    at: datetime
    employee: Employee
    text: str
    outside: bool
    url: str


@dataclass(frozen=True, slots=True)
class Stopped:
    at: datetime
    employee: Employee
    title: str
    why: str  # a sentence with its number: "It had used its 12 steps."
    url: str


@dataclass(frozen=True, slots=True)
class InboxPage:
    mine: tuple[Card, ...] = ()
    others: tuple[Card, ...] = ()
    questions: tuple[Question, ...] = ()
    trials: tuple[TrialOver, ...] = ()
    notes: tuple[Note, ...] = ()
    done: tuple[Done, ...] = ()
    stopped: tuple[Stopped, ...] = ()
    more: int = 0  # of mine, not on this page
    more_url: str = ""
    first_employee: Employee | None = None  # for the empty state: whom to give a task
    event: str = ""  # cursor for /live, empty: none
