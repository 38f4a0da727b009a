"""What was said in a conversation, and which conversations are there? The reads that pages need."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import ColumnElement, or_, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.conversations.models import Author, Conversation, ConversationKind, Mail, Message, MessageKind
from app.database.transaction import tenant_of
from app.errors import NotAllowed, NotFound
from app.identity.models import Role
from app.identity.roles import Member


@dataclass(frozen=True)
class Talk:
    """A conversation with an employee."""

    id: UUID
    agent_id: UUID
    kind: ConversationKind
    started_by: UUID | None
    title: str
    outside: bool
    made_at: datetime
    changed_at: datetime


@dataclass(frozen=True)
class Said:
    """One thing that was said, opened. `mail` is what arrived, for a mail."""

    id: UUID
    conversation_id: UUID
    agent_id: UUID
    author: Author
    kind: MessageKind
    user_id: UUID | None
    run_id: UUID | None
    outside: bool
    at: datetime
    content: Mapping[str, JsonValue]
    mail: Mapping[str, JsonValue]

    @property
    def text(self) -> str:
        """Its words, where it has some."""
        return str(self.content.get("text", ""))


async def get_talk(session: AsyncSession, conversation_id: UUID, *, by: Member) -> Talk:
    """One conversation. Raises NotFound (also for another company's), NotAllowed for who may not read it."""
    row = await session.scalar(
        select(Conversation).where(Conversation.tenant_id == tenant_of(session), Conversation.id == conversation_id)
    )
    if row is None:
        raise NotFound
    if not by.reads(row.agent_id, row.started_by):
        raise NotAllowed(agent=str(row.agent_id))
    return (await _talks(session, [row]))[0]


async def talks_of(session: AsyncSession, agent_id: UUID, *, by: Member, most: int, skip: int = 0) -> list[Talk]:
    """An employee's conversations that this person reads, the newest first."""
    rows = await session.scalars(
        select(Conversation)
        .where(Conversation.tenant_id == tenant_of(session), Conversation.agent_id == agent_id, _read_by(by))
        .order_by(Conversation.changed_at.desc(), Conversation.id.desc())
        .limit(most)
        .offset(skip)
    )
    return await _talks(session, list(rows))


async def messages(
    session: AsyncSession, conversation_id: UUID, *, most: int, before: datetime | None = None
) -> list[Said]:
    """The newest things that were said (before a moment), in order; the caller has checked who reads it."""
    of_conversation = (Conversation.tenant_id == Message.tenant_id) & (Conversation.id == Message.conversation_id)
    wanted = (
        select(Message, Conversation.agent_id)
        .join(Conversation, of_conversation)
        .where(Message.tenant_id == tenant_of(session), Message.conversation_id == conversation_id)
    )
    if before is not None:
        wanted = wanted.where(Message.made_at < before)
    rows = (await session.execute(wanted.order_by(Message.made_at.desc(), Message.id).limit(most))).all()
    return await _opened(session, [(message, agent_id) for message, agent_id in reversed(rows)])


async def notes_since(session: AsyncSession, since: datetime, *, by: Member, most: int) -> list[Said]:
    """What employees wanted their managers to know, the newest first."""
    wanted = (
        select(Message, Conversation.agent_id)
        .join(
            Conversation, (Conversation.tenant_id == Message.tenant_id) & (Conversation.id == Message.conversation_id)
        )
        .where(Message.tenant_id == tenant_of(session), Message.kind == MessageKind.NOTE, Message.made_at >= since)
        .where(_read_by(by))
    )
    rows = (await session.execute(wanted.order_by(Message.made_at.desc()).limit(most))).all()
    return await _opened(session, [(message, agent_id) for message, agent_id in rows])


def _read_by(by: Member) -> ColumnElement[bool]:
    """`Member.reads`, in SQL."""
    if by.role is Role.ADMIN:
        return true()
    managed = by.manages if by.role is Role.MANAGER else ()
    return or_(Conversation.agent_id.in_(managed), Conversation.started_by == by.user_id)


async def _talks(session: AsyncSession, rows: list[Conversation]) -> list[Talk]:
    titles = await seal.read_many(session, [row.title_id for row in rows])
    return [
        Talk(
            id=row.id,
            agent_id=row.agent_id,
            kind=row.kind,
            started_by=row.started_by,
            title=str(titles.get(row.title_id, "")),
            outside=row.outside_at is not None,
            made_at=row.made_at,
            changed_at=row.changed_at,
        )
        for row in rows
    ]


async def _opened(session: AsyncSession, rows: list[tuple[Message, UUID]]) -> list[Said]:
    kept = await seal.read_many(session, [message.content_id for message, _ in rows])
    mails = await _mails(session, {message.conversation_id for message, _ in rows if message.kind is MessageKind.MAIL})
    return [
        Said(
            id=message.id,
            conversation_id=message.conversation_id,
            agent_id=agent_id,
            author=message.author,
            kind=message.kind,
            user_id=message.user_id,
            run_id=message.run_id,
            outside=message.drawn_from_outside,
            at=message.made_at,
            content=(content := _mapping(kept.get(message.content_id))),
            mail=mails.get(str(content.get("mail_id", "")), {}),
        )
        for message, agent_id in rows
    ]


async def _mails(session: AsyncSession, conversations: set[UUID]) -> dict[str, Mapping[str, JsonValue]]:
    if not conversations:
        return {}
    rows = await session.execute(
        select(Mail.id, Mail.content_id).where(
            Mail.tenant_id == tenant_of(session), Mail.conversation_id.in_(conversations)
        )
    )
    ids = {row.id: row.content_id for row in rows}
    kept = await seal.read_many(session, ids.values())
    return {str(mail_id): _mapping(kept.get(content_id)) for mail_id, content_id in ids.items()}


def _mapping(value: JsonValue | None) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}
