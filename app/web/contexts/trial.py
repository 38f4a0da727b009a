"""What is shown of a trial?"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from app.policy.decision import Mode
from app.web.contexts.chrome import Choice, Employee, Field


@dataclass(frozen=True, slots=True)
class TrialLine:
    """On the employee's page: until when."""

    until: str  # "until Mon 5 Jan", "until somebody says so"
    url: str  # empty for who does not decide


@dataclass(frozen=True, slots=True)
class Until:
    """Where the end of a trial is chosen."""

    open: bool  # until I say so
    day: Field = field(default_factory=lambda: Field("last_day", "", kind="date", required=False))


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """What was asked about one thing during the trial."""

    what: str
    figures: tuple[str, ...]  # "asked 5 times", "4 approved, one of them changed"


@dataclass(frozen=True, slots=True)
class Loosened:
    """What one thing does today, and would do after the trial; the two moments apart only where they differ."""

    what: str
    before: Mode
    after: Mode
    when: str  # "after reading text from outside"; empty: always


@dataclass(frozen=True, slots=True)
class TrialPage:
    employee: Employee
    url: str
    on_trial: bool
    over: bool
    since: datetime
    until: str
    asked: tuple[AskedAbout, ...]
    doubtful: tuple[Choice, ...]  # requests that were not simply approved; value: url
    loosened: tuple[Loosened, ...]
    choose: Until
