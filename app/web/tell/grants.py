"""How is it told what goes ahead without asking in a conversation: what, for what only, since when, by whom?"""

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from app.approvals.always import offered
from app.approvals.grants import Given, grants_in, grants_of
from app.approvals.queries import Asked
from app.conversations.queries import Talk
from app.employees.queries import Employee as Record
from app.identity.queries import names_of
from app.identity.roles import Permission
from app.policy.decision import Json
from app.web.contexts.chrome import Row
from app.web.contexts.grants import Grant, Offer
from app.web.tell.abilities import ability
from app.web.tell.effects import rows
from app.web.tell.people import person
from app.web.visit import Visit


async def offers(visit: Visit, asked: Asked) -> tuple[Offer, ...]:
    """What can be allowed for the rest of the conversation with a yes to this request, the narrow one chosen."""
    found = await offered(visit.session, asked.id, by=visit.member)
    return tuple(Offer(one.width, _only(visit, asked.tool, one.scope), chosen=one is found[0]) for one in found)


async def of_conversation(visit: Visit, talk: Talk) -> tuple[Grant, ...]:
    """Those of one conversation."""
    return await _told(visit, await grants_in(visit.session, talk.id, by=visit.member), named=False)


async def of_employee(visit: Visit, record: Record) -> tuple[Grant, ...]:
    """All of an employee's, for who decides for it; nobody else is shown them."""
    if not visit.member.decides_for(record.id):
        return ()
    return await _told(visit, await grants_of(visit.session, record.id, by=visit.member), named=True)


async def _told(visit: Visit, given: Sequence[Given], *, named: bool) -> tuple[Grant, ...]:
    names = await names_of(visit.session, [one.given_by for one in given])
    return tuple(
        Grant(
            id=str(one.id),
            what=ability(visit.speech, one.tool),
            only=_only(visit, one.tool, one.scope),
            since=one.given_at,
            until=one.expires_at,
            by=person(visit.speech, visit.member, one.given_by, names),
            conversation_url=f"/conversations/{one.conversation_id}" if named else "",
            can_take_back=visit.member.may_for(Permission.DECIDE, one.agent_id),
        )
        for one in given
    )


def _only(visit: Visit, tool: str, scope: Mapping[str, Json]) -> tuple[Row, ...]:
    """Json is what the policy reads: JSON that nobody changes."""
    known = {name: cast(JsonValue, value) for name, value in scope.items() if value not in (None, "", [])}
    return rows(visit.speech, tool, known)
