"""What does the page with all the pieces show?"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.policy.decision import Decision
from app.web.contexts.chrome import Employee, Field, Foreign, Tone
from app.web.contexts.effects import Effect
from app.web.contexts.inbox import Card, Question
from app.web.contexts.task import Bar


@dataclass(frozen=True, slots=True)
class StyleguidePage:
    """One of each."""

    card: Card
    question: Question
    foreign: Foreign
    decision: Decision
    fields: tuple[Field, ...]
    employee: Employee
    effects: tuple[Effect, ...]
    amount: Decimal
    currency: str
    now: datetime
    bars: tuple[tuple[Bar, Tone], ...]
