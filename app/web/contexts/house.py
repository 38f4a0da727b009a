"""What do the pages of the house show: sign-in, settings, errors?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.web.contexts.chrome import Field, Person


@dataclass(frozen=True, slots=True)
class DemoSignIn:
    name: str
    what: str  # "manages Camille"
    email: str
    password: str


@dataclass(frozen=True, slots=True)
class SignInPage:
    email: Field
    password: Field
    next: str = ""
    error: str = ""
    demo: tuple[DemoSignIn, ...] = ()


@dataclass(frozen=True, slots=True)
class LimitsPage:
    fields: tuple[Field, ...]  # a choice for each kind of work


@dataclass(frozen=True, slots=True)
class SettingsPage:
    language: Field  # choice
    zone: Field  # choice
    now: datetime  # shown as an example


@dataclass(frozen=True, slots=True)
class ErrorPage:
    status: int
    title: str
    sentence: str
    todo: str
    reference: str = ""
    who: tuple[Person, ...] = ()  # 403: who can
    back_url: str = "/inbox"
