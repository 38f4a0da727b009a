"""Each name of ours (a rule, an event, an end, a state) is told to people, in both languages."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import pytest

import app
from app.approvals.models import ApprovalStatus
from app.approvals.still_valid import WHY_NOT
from app.audit.events import SENTENCES, Event
from app.connections.needed import Works
from app.errors import PlacetError
from app.identity.models import Role
from app.language.words import ENDS, ROLES, STATES, WAITS
from app.notifications.words import MAILS
from app.policy.decide import RULE_NAMES
from app.policy.decision import Kind, Mode
from app.policy.words import KINDS, MODES, NOTES, REFUSALS, RULES
from app.runs.states import CallStatus, End, RunStatus, WaitingFor
from app.tools.catalogue import TOOLS
from app.web.tell import abilities, all_abilities, conversation, journal, task
from tests.house.sentences import is_translated

Name = TypeVar("Name", bound=str)


def told(names: Iterable[Name], words: Mapping[Name, str]) -> tuple[set[str], dict[str, str]]:
    return {str(name) for name in names}, {str(name): sentence for name, sentence in words.items()}


NAMES = {
    "rules": told(RULE_NAMES, RULES),
    "modes": told(Mode, MODES),
    "kinds": told(Kind, KINDS),
    "events": told(Event, SENTENCES),
    "events in a word": told(Event, journal.KINDS),
    "ends": told(End, ENDS),
    "states of a task": told(RunStatus, STATES),
    "what a task waits for": told(WaitingFor, WAITS),
    "states of a call": told(CallStatus, {status: sentence for status, (sentence, _) in task.CALLS.items()}),
    "ends of a request": told(set(ApprovalStatus) - {ApprovalStatus.PENDING}, conversation.EVENTS),
    "roles": told(Role, ROLES),
    "abilities": told(TOOLS, abilities.NAMES),
    "what abilities do": told(TOOLS, all_abilities.DOES),
    "what abilities of others do": told(Kind, all_abilities.FOREIGN),
    "what abilities miss": told(Works, all_abilities.MISSING),
}


@pytest.mark.parametrize("what", NAMES)
def test_every_name_of_ours_has_its_words(what: str) -> None:
    names, words = NAMES[what]
    assert names - set(words) == set()
    assert [sentence for sentence in words.values() if not sentence or not is_translated(sentence)] == []


def test_every_note_refusal_reason_and_mail_is_in_both_languages() -> None:
    said = [*NOTES.values(), *REFUSALS.values(), *WHY_NOT.values(), *task.REFUSED_BY.values(), *task.ORIGINS.values()]
    said += [text for mail in MAILS.values() for text in mail]
    assert [sentence for sentence in said if not is_translated(sentence)] == []


def kinds_of(error: type[PlacetError]) -> Iterator[type[PlacetError]]:
    for kind in error.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_every_error_that_a_person_may_meet_says_so_in_both_languages() -> None:
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    ours = [error for error in kinds_of(PlacetError) if error.__module__.startswith("app.")]
    assert len(ours) > 15
    silent = [error.__name__ for error in ours if not is_translated(error.__new__(error).sentence)]
    assert silent == []
