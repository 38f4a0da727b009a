"""What do the pages about connections show? Never a secret: only that there is one, since when and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.web.contexts.chrome import Field, Person, Tone


@dataclass(frozen=True, slots=True)
class EnteredValue:
    label: str
    shown: str  # of what is no secret
    secret: bool
    at: datetime | None
    by: Person | None


@dataclass(frozen=True, slots=True)
class ConnectionCard:
    url: str
    title: str
    entered: bool
    by_operator: bool  # nothing was entered, and the operator has set up one
    values: tuple[EnteredValue, ...]
    state: str
    tone: Tone
    tried_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ConnectionsPage:
    cards: tuple[ConnectionCard, ...]


@dataclass(frozen=True, slots=True)
class ConnectionFormPage:
    url: str
    title: str
    fields: tuple[Field, ...]
    replaces: bool


@dataclass(frozen=True, slots=True)
class Loss:
    """What somebody can no longer do afterwards."""

    employee: str
    url: str
    abilities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemovalPage:
    """Before a connection or a service is removed: what stops."""

    url: str
    back_url: str
    title: str
    question: str
    losses: tuple[Loss, ...]
    after: str  # a sentence: what is true afterwards
    foreign: bool = False
