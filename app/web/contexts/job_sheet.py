"""What do the pages show on which a job sheet is changed, compared and looked back at?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.policy.decision import Decision, Mode
from app.web.contexts.chrome import Choice, Employee, Field, Person


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a difference."""

    sort: Literal["same", "gone", "new"]
    text: str


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    label: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One thing that the employee would do otherwise; None: it does not have it."""

    what: str
    when: str  # "as a task starts", "after reading text from outside", "always"
    before: Mode | None
    after: Mode | None


@dataclass(frozen=True, slots=True)
class InWords:
    """What it may do at one moment: "asks first: refund an order, send a mail"."""

    title: str
    modes: tuple[tuple[Mode, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class PreviewPart:
    changes: tuple[ChangeLine, ...]
    differences: tuple[DifferenceLine, ...]  # what the modes do not show
    then: tuple[InWords, ...]
    reaches: tuple[tuple[str, ...], ...]  # sentences, by the exception's place
    usual: tuple[tuple[str, str], ...] = ()  # by kind of work: "asks first, as all that acts outside"
    new: bool = True  # anything differs from today


@dataclass(frozen=True, slots=True)
class Checks:
    name: str
    legend: str
    choices: tuple[Choice, ...]
    hint: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class ConditionForm:
    field: Field
    comparison: Field
    value: Field


@dataclass(frozen=True, slots=True)
class ExceptionForm:
    place: int
    id: str
    text: Field
    tools: Checks
    conditions: tuple[ConditionForm, ...]
    ends_on: Field
    uses_per_day: Field


@dataclass(frozen=True, slots=True)
class CeilingForm:
    place: int
    id: str
    tools: Checks
    counts: Field
    limit: Field
    unit: Field
    per: Field
    period: Field
    beyond: Field


@dataclass(frozen=True, slots=True)
class Theirs:
    """What somebody else saved while this person was writing."""

    who: str
    version: int
    lines: tuple[DifferenceLine, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    count: int
    width: int  # thousandths
    tone: Literal["good", "wait", "calm"]


@dataclass(frozen=True, slots=True)
class ExampleLine:
    what: str
    at: datetime
    url: str
    before: Mode
    after: Mode
    why: str


@dataclass(frozen=True, slots=True)
class DryRunPart:
    looked_at: int
    bars: tuple[Bar, ...]
    examples: tuple[ExampleLine, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditPage:
    employee: Employee
    url: str  # /employees/<id>/job-sheet
    based_on: int
    mission: Field
    instructions: Field
    kinds: tuple[Field, ...]
    tools: tuple[Field, ...]
    more: tuple[Field, ...]  # what it could be given
    public: Checks
    who: Field
    talkers: Checks
    outside: Field | None  # None: this person may not change it
    exceptions: tuple[ExceptionForm, ...]
    ceilings: tuple[CeilingForm, ...]
    preview: PreviewPart
    problems: int = 0
    focus: str = ""  # the name of the field in which writing goes on
    theirs: Theirs | None = None
    dry_run: DryRunPart | None = None


@dataclass(frozen=True, slots=True)
class VersionLine:
    version: int
    url: str
    at: datetime
    by: Person | None
    lines: tuple[DifferenceLine, ...]
    in_force: bool = False


@dataclass(frozen=True, slots=True)
class HistoryPage:
    employee: Employee
    url: str
    versions: tuple[VersionLine, ...]


@dataclass(frozen=True, slots=True)
class MayRow:
    what: str
    kind_word: str
    start: Decision
    after: Decision
    visitors: Decision | None  # None: it has no public chat


@dataclass(frozen=True, slots=True)
class MayPage:
    employee: Employee
    url: str
    asked: Field
    rows: tuple[MayRow, ...]
    unknown: tuple[str, ...] = ()  # words of the question that nothing here is about
