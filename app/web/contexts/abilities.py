"""What does the page about everything that employees can do show?"""

from __future__ import annotations

from dataclasses import dataclass

from app.policy.decision import Decision
from app.web.contexts.chrome import Foreign, Tone


@dataclass(frozen=True, slots=True)
class Holding:
    """An employee that has it."""

    name: str
    url: str  # of its job sheet
    mode: str
    public: bool = False  # its job sheet lists it for visitors


@dataclass(frozen=True, slots=True)
class AbilityRow:
    name: str
    what: str  # a sentence; of a foreign one ours, not the service's
    kind_word: str
    start: Decision  # as a rule, without a job sheet
    after: Decision  # after it has read something from outside
    holders: tuple[Holding, ...]
    strangers: str  # who outside the company may use it
    works: str  # "Works", or what is missing
    tone: Tone
    foreign: bool = False
    told: Foreign | None = None  # what the service says about it
    url: str = ""  # where what is missing can be set right
    url_text: str = ""


@dataclass(frozen=True, slots=True)
class AbilityGroup:
    """Where they come from."""

    id: str
    title: str
    origin: str
    rows: tuple[AbilityRow, ...]
    foreign: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class AbilitiesPage:
    groups: tuple[AbilityGroup, ...]
    add_url: str = ""  # for those who may add a service
