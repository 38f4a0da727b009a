"""What is shown of an "always in this conversation"?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.web.contexts.chrome import Person, Row


@dataclass(frozen=True, slots=True)
class Offer:
    """One that could be given with a yes. `only` is what it is bound to; empty: whatever it is about."""

    value: str  # narrow, wide
    only: tuple[Row, ...]
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """One that holds."""

    id: str
    what: str  # "Send a mail"
    only: tuple[Row, ...]
    since: datetime
    until: datetime
    by: Person | None
    conversation_url: str  # empty: it is the one that the page is about
    can_take_back: bool
