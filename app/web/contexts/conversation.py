"""What does the page of a conversation show?"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from app.web.contexts.chrome import Choice, Employee, Field, Foreign, Person, Tone
from app.web.contexts.grants import Grant
from app.web.contexts.inbox import Card


@dataclass(frozen=True, slots=True)
class Message:
    """kind: person (text, by) · mail (foreign) · answer (text, outside) · draft (subject, text) · sent (subject, text)
    · request (card) · event (text, url) · end (text)."""

    kind: Literal["person", "mail", "answer", "draft", "sent", "request", "event", "end"]
    id: str
    at: datetime
    text: str = ""
    subject: str = ""
    by: Person | None = None
    outside: bool = False
    foreign: Foreign | None = None
    card: Card | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class ConversationPage:
    id: str
    title: str
    employee: Employee
    messages: tuple[Message, ...]
    state: str  # "Camille waits for you." "Camille is working." "Done."
    tone: Tone
    outside: bool
    task_urls: tuple[Choice, ...] = ()  # value: url, label: title
    can_write: bool = True
    say: Field = field(default_factory=lambda: Field("text", "", kind="long"))
    earlier_url: str = ""
    live: bool = False
    grants: tuple[Grant, ...] = ()  # what is not asked here for now
