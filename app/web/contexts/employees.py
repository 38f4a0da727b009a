"""What do the pages about employees show?"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from app.policy.decision import Decision
from app.web.contexts.chrome import Choice, Employee, Field, Person, Tone
from app.web.contexts.grants import Grant
from app.web.contexts.trial import TrialLine


@dataclass(frozen=True, slots=True)
class EmployeeCard:
    employee: Employee
    url: str
    purpose: str
    alone: tuple[str, ...]  # "read mails", "look up orders"
    tells: tuple[str, ...]
    asks: tuple[str, ...]  # "send a mail", "refund an order"
    waiting: int = 0
    working: int = 0


@dataclass(frozen=True, slots=True)
class EmployeesPage:
    cards: tuple[EmployeeCard, ...]
    can_hire: bool = False


@dataclass(frozen=True, slots=True)
class ConversationLine:
    url: str
    title: str
    at: datetime
    state: str
    tone: Tone
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """What to do first, as long as nothing was done."""

    tasks: tuple[Choice, ...]  # to try; value: the page with the task written already
    connect_url: str  # empty: nothing is missing, or it is not mine to connect


@dataclass(frozen=True, slots=True)
class EmployeePage:
    card: EmployeeCard
    job_sheet_url: str
    managers: tuple[Person, ...]
    conversations: tuple[ConversationLine, ...]
    spent: Decimal
    budget: Decimal | None
    currency: str
    can_give_task: bool = True
    task: Field = field(default_factory=lambda: Field("text", "", kind="long"))
    older_url: str = ""
    first_steps: FirstSteps | None = None  # nothing was done yet
    trial: TrialLine | None = None  # while it is on trial
    grants: tuple[Grant, ...] = ()  # what it does not ask about for now, in whatever conversation
    can_change: bool = False  # its job sheet
    addresses: tuple[str, ...] = ()  # where mail reaches it
    reads_mail: bool = False


@dataclass(frozen=True, slots=True)
class MatrixRow:
    tool: str  # "Send a reply"
    about: str
    kind_word: str  # "reads", "puts in order", "prepares", "acts", "deletes"
    start: Decision
    after: Decision  # after it has read something from outside


@dataclass(frozen=True, slots=True)
class ExceptionLine:
    text: str
    tools: tuple[str, ...]
    left: str = ""  # "until Mon 4 Jan, 10 times a day, used twice today"
    withdraw_url: str = ""  # empty: this person may not


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """What was done without asking because an exception was quoted, beside the sentence."""

    what: str
    url: str
    at: datetime
    sentence: str


@dataclass(frozen=True, slots=True)
class JobSheetPage:
    employee: Employee
    version: int
    since: datetime
    by: Person | None
    mission: str
    instructions: str
    matrix: tuple[MatrixRow, ...]
    exceptions: tuple[ExceptionLine, ...] = ()
    limits: tuple[str, ...] = ()  # "At most 150.00 EUR refunded per customer and month."
    outside_rule: bool = True
    versions: tuple[Choice, ...] = ()  # value: url
    can_change: bool = False
    quoted: tuple[QuotedLine, ...] = ()
    talkers: tuple[Person, ...] = ()  # who may talk to it; empty: everybody
