"""What does the journal show?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.web.contexts.chrome import Choice


@dataclass(frozen=True, slots=True)
class JournalLine:
    number: int
    at: datetime
    sentence: str
    event: str  # in words
    url: str = ""


@dataclass(frozen=True, slots=True)
class JournalPage:
    lines: tuple[JournalLine, ...]
    employees: tuple[Choice, ...]  # each list begins with Choice("", "everybody"), …
    people: tuple[Choice, ...]
    events: tuple[Choice, ...]
    filtered: bool = False
    older_url: str = ""
    newer_url: str = ""
