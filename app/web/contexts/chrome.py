"""What does every page need? The frame around it, and the few things that many pages show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

Active: TypeAlias = Literal[
    "inbox", "employees", "journal", "settings", "abilities", "services", "connections", "limits", ""
]
Tone: TypeAlias = Literal["calm", "good", "wait", "bad"]  # repeats in colour what a word says already


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    is_me: bool = False  # shown as "you"


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Flash:
    """One line on what happened to the last thing a person did."""

    sentence: str
    tone: Tone = "good"
    url: str | None = None
    url_text: str = ""
    follow: str = ""  # the request whose outcome the line goes on to tell, where there is a script


@dataclass(frozen=True, slots=True)
class Chrome:
    """What base.html needs. On sign-in and on errors before sign-in: me=None, company=""."""

    language: str  # "en", "fr"
    languages: tuple[Choice, ...]
    csrf: str
    path: str  # of this page, for "come back here" after a change of language
    company: str = ""
    me: Person | None = None
    active: Active = ""
    places: tuple[Choice, ...] = ()  # what stands in the menu beside one's own settings; value: url
    waiting: int = 0  # requests and questions that wait for me
    practice: bool = False
    mailbox: str | None = None  # address of the demo's mailbox
    flash: Flash | None = None
    version: str = "1"  # changes when a file under static/ does


@dataclass(frozen=True, slots=True)
class Employee:
    """An AI employee wherever it is named; its head with pause / go on stands on every page about it."""

    id: str
    name: str
    role: str  # "customer service"
    paused: bool = False
    on_trial: bool = False
    can_pause: bool = False  # may I pause it and let it go on?


@dataclass(frozen=True, slots=True)
class Row:
    """A named value, in full. `fixed`: filled in by us, the employee cannot choose it."""

    label: str
    value: str
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Foreign:
    """Text that somebody outside could write. Shown in a frame, raw, with hidden characters made visible."""

    title: str  # "Mail from marie@example.org", "What the order says"
    text: str
    rows: tuple[Row, ...] = ()  # From, Subject, Date (raw too)
    proven: bool | None = False  # None: a sender makes no sense here
    at: datetime | None = None
    left_out: int = 0  # characters that were not shown to the employee either
    open: bool = True  # unfolded at first; fold what is longer than about 1,500 characters


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form made from a tool's schema, or ours."""

    name: str
    label: str
    value: str = ""
    kind: Literal["text", "long", "amount", "number", "choice", "yes_no", "email", "password", "date"] = "text"
    hint: str = ""
    error: str = ""
    required: bool = True
    fixed: bool = False  # shown, cannot be changed, is not sent
    currency: str = ""
    choices: tuple[Choice, ...] = ()
