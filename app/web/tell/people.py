"""How are people and employees named on a page?"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from app.employees.queries import Employee as Record
from app.identity.roles import Member, Permission
from app.language.speech import Speech
from app.web.contexts.chrome import Employee, Person
from app.web.visit import Visit


def employee(visit: Visit, record: Record) -> Employee:
    """An employee, with whether this person may pause it."""
    return Employee(
        id=str(record.id),
        name=record.name,
        role=record.title(visit.speech.language),
        paused=record.paused,
        on_trial=record.on_trial,
        can_pause=visit.member.may_for(Permission.PAUSE, record.id),
    )


def person(speech: Speech, me: Member, user_id: UUID | None, names: Mapping[UUID, str]) -> Person | None:
    """Somebody by name; None where nobody did it. Who was erased is said to be somebody who left."""
    if user_id is None:
        return None
    return Person(names.get(user_id) or speech.say("somebody who left"), is_me=user_id == me.user_id)


def persons(me: Member, found: Iterable[tuple[UUID, str]]) -> tuple[Person, ...]:
    """Several people."""
    return tuple(Person(name, is_me=user_id == me.user_id) for user_id, name in found)
