""" "Always in this conversation": which ones are in force, who gave them, and how is one taken back?

A grant ends with the conversation or after 24 hours, when somebody takes it back, and when the person who gave it may
no longer decide for the employee. Giving one is in always.py: it needs the request that it comes with.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import ColumnElement, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Grant
from app.audit.events import Event
from app.audit.journal import record
from app.content import seal
from app.conversations.models import Conversation
from app.database.transaction import tenant_of
from app.errors import NotAllowed, NotFound
from app.identity.decides import may_decide
from app.identity.roles import Member, Permission
from app.policy.decision import GrantView


@dataclass(frozen=True)
class Given:
    """A grant as people are shown it. An empty `scope` is the wide one: whatever the tool is aimed at."""

    id: UUID
    agent_id: UUID
    conversation_id: UUID
    tool: str
    scope: Mapping[str, JsonValue]
    wide: bool
    given_by: UUID
    given_at: datetime
    expires_at: datetime


async def in_force(session: AsyncSession, agent_id: UUID, conversation_id: UUID) -> tuple[GrantView, ...]:
    """The grants of a conversation as `decide()` takes them; one that cannot be read, or whose giver may no longer
    decide, is none."""
    given = await _given(session, agent_id, conversation_id)
    may = {user_id: await may_decide(session, user_id, agent_id) for user_id in {one.given_by for one in given}}
    return tuple(GrantView(str(one.id), one.tool, one.scope) for one in given if may[one.given_by])


def some_in_force() -> ColumnElement[bool]:
    """For a query of conversations: is `in_force` worth asking?"""
    here = (Grant.tenant_id == Conversation.tenant_id) & (Grant.conversation_id == Conversation.id)
    return exists().where(here, *_holding())


async def grants_in(session: AsyncSession, conversation_id: UUID, *, by: Member) -> list[Given]:
    """What was given in this conversation and still holds, the newest first. Raises NotFound, NotAllowed."""
    conversation = await session.get(Conversation, (by.tenant_id, conversation_id))
    if conversation is None:
        raise NotFound
    if not by.reads(conversation.agent_id, conversation.started_by):
        raise NotAllowed(agent=str(conversation.agent_id))
    return await _given(session, conversation.agent_id, conversation_id)


async def grants_of(session: AsyncSession, agent_id: UUID, *, by: Member) -> list[Given]:
    """Everything that holds for this employee, in whatever conversation, the newest first. Raises NotAllowed."""
    if not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    return await _given(session, agent_id, None)


async def revoke(session: AsyncSession, grant_id: UUID, *, by: Member) -> None:
    """Take one back. Ended already is fine. Raises NotFound, NotAllowed."""
    found = await session.execute(
        select(Grant.tool, Conversation.agent_id)
        .join(Conversation, (Conversation.tenant_id == Grant.tenant_id) & (Conversation.id == Grant.conversation_id))
        .where(Grant.tenant_id == by.tenant_id, Grant.id == grant_id)
    )
    if (row := found.first()) is None:
        raise NotFound
    if not by.may(Permission.DECIDE) or not by.decides_for(row.agent_id):
        raise NotAllowed(agent=str(row.agent_id))
    ended = await session.scalar(
        update(Grant)
        .where(Grant.tenant_id == by.tenant_id, Grant.id == grant_id, Grant.ended_at.is_(None))
        .values(ended_at=func.clock_timestamp())
        .returning(Grant.id)
        .execution_options(synchronize_session=False)
    )
    if ended is not None:
        await record(
            session,
            Event.GRANT_REVOKED,
            by=by.user_id,
            about=grant_id,
            agent_id=row.agent_id,
            facts={"tool": row.tool},
        )


def _holding() -> tuple[ColumnElement[bool], ...]:
    return Grant.ended_at.is_(None), Grant.expires_at > func.clock_timestamp()


async def _given(session: AsyncSession, agent_id: UUID, conversation_id: UUID | None) -> list[Given]:
    wanted = (
        select(Grant)
        .join(Conversation, (Conversation.tenant_id == Grant.tenant_id) & (Conversation.id == Grant.conversation_id))
        .where(Grant.tenant_id == tenant_of(session), Conversation.agent_id == agent_id)
        .where(*_holding())
        .order_by(Grant.given_at.desc(), Grant.id)
    )
    if conversation_id is not None:
        wanted = wanted.where(Grant.conversation_id == conversation_id)
    rows: Sequence[Grant] = (await session.scalars(wanted)).all()
    scopes = await seal.read_many(session, [grant.scope_id for grant in rows])
    return [
        _one(grant, agent_id, scopes.get(grant.scope_id) if grant.scope_id else {})
        for grant in rows
        if grant.scope_id is None or isinstance(scopes.get(grant.scope_id), dict)  # an erased scope is no wide one
    ]


def _one(grant: Grant, agent_id: UUID, scope: JsonValue) -> Given:
    return Given(
        id=grant.id,
        agent_id=agent_id,
        conversation_id=grant.conversation_id,
        tool=grant.tool,
        scope=cast(Mapping[str, JsonValue], scope),
        wide=grant.scope_id is None,
        given_by=grant.given_by,
        given_at=grant.given_at,
        expires_at=grant.expires_at,
    )
