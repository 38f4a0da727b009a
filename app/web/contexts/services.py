"""What do the pages about services of others show? Their words always as theirs; never a key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.web.contexts.abilities import Holding
from app.web.contexts.chrome import Choice, Field, Foreign, Person, Tone


@dataclass(frozen=True, slots=True)
class ServiceCard:
    url: str
    name: str
    address: str
    offers: int
    to_review: int
    looked_at: datetime


@dataclass(frozen=True, slots=True)
class ServicesPage:
    cards: tuple[ServiceCard, ...]


@dataclass(frozen=True, slots=True)
class AddServicePage:
    name: Field
    address: Field
    key: Field
    program: Field | None = None  # where the operator allows programs of this machine


@dataclass(frozen=True, slots=True)
class Difference:
    """What is other than when somebody last looked."""

    before: str  # the service's words then
    now: str
    more: tuple[str, ...]  # what it wants to be told now and did not before, by the service's names
    less: tuple[str, ...]
    hidden: bool  # something changed that is neither in the words nor in these names


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that a service offers."""

    id: str
    mark: str  # for the form: what was shown
    name: str
    kinds: tuple[Choice, ...]
    kind_word: str
    why: str
    careful: bool  # a service that was added by hand is trusted with reading only
    told: Foreign
    wants: tuple[str, ...]
    state: str
    tone: Tone
    holders: tuple[Holding, ...]
    difference: Difference | None = None
    stale: bool = False


@dataclass(frozen=True, slots=True)
class ServicePage:
    id: str
    name: str
    address: str
    added_at: datetime
    added_by: Person | None
    looked_at: datetime
    has_key: bool
    to_review: tuple[Offer, ...]
    reviewed: tuple[Offer, ...]
    gone: tuple[Offer, ...]
    refused: tuple[tuple[str, str], ...]  # the service's name for it, and why it is not taken
    safe: int  # of those to review: new, and only reading
    stale: bool = False
    key: Field | None = None  # None: a program that takes none
