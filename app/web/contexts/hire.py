"""What do the steps of hiring an employee show?"""

from __future__ import annotations

from dataclasses import dataclass

from app.policy.decision import Mode
from app.web.contexts.chrome import Choice, Field, Person
from app.web.contexts.trial import Until


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that it can do; `note` says what it waits for, where it does not work today."""

    what: str
    demo_only: bool = False  # works, with what belongs to the demo company only
    note: str = ""

    @property
    def real(self) -> bool:
        """Does it work today, in earnest?"""
        return not (self.demo_only or self.note)


@dataclass(frozen=True, slots=True)
class TemplateCard:
    """An employee that can be hired."""

    title: str  # "customer service"
    mission: str
    url: str
    things: tuple[Thing, ...]


@dataclass(frozen=True, slots=True)
class ChoosePage:
    cards: tuple[TemplateCard, ...]


@dataclass(frozen=True, slots=True)
class DetailsPage:
    """Its name, who manages it, what it is for, how long its trial is."""

    template: str
    title: str
    name: Field
    mission: Field
    managers: tuple[Choice, ...]
    managers_error: str
    choose: Until


@dataclass(frozen=True, slots=True)
class Group:
    """What it does in one manner."""

    mode: Mode
    things: tuple[Thing, ...]


@dataclass(frozen=True, slots=True)
class SurePage:
    """The last look: what it will do, in words."""

    name: str
    title: str
    mission: str
    groups: tuple[Group, ...]
    asks_more: tuple[str, ...]  # after reading text from outside
    managers: tuple[Person, ...]
    until: str
    carried: tuple[Choice, ...]  # what the earlier steps chose: value, label = name of the field
