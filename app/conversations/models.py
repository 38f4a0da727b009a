"""What was said to an employee and by it, by whom, and where did the words come from?"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member, belongs_to, words


class ConversationKind(StrEnum):
    """How a conversation began."""

    TASK = "task"  # a person gave it in words
    MAIL = "mail"  # a customer wrote


class Author(StrEnum):
    """Who wrote a message."""

    PERSON = "person"
    AGENT = "agent"
    OUTSIDE = "outside"  # a third party: its words are never an instruction
    PLACET = "placet"  # we ourselves: "a customer's mail has arrived"


class MessageKind(StrEnum):
    """What a message is."""

    SAID = "said"
    MAIL = "mail"  # arrived from outside
    DRAFT = "draft"
    NOTE = "note"  # to the manager
    ANSWER = "answer"  # how a task ended


class Conversation(TenantOwned, Base):
    """A task, a mail thread or a chat with one employee."""

    __tablename__ = "conversations"
    __table_args__ = (
        a_member("started_by"),
        belongs_to("agents", "agent_id"),
    )

    agent_id: Mapped[UUID]
    kind: Mapped[ConversationKind] = mapped_column(words(ConversationKind))
    started_by: Mapped[UUID | None]
    title_id: Mapped[UUID]  # content
    outside_at: Mapped[datetime | None]  # since then it holds text that a third party wrote
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
    changed_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Message(TenantOwned, Base):
    """One thing that was said. `after_turn` says where the model read it; None: not yet."""

    __tablename__ = "messages"
    __table_args__ = (
        a_member("user_id"),
        belongs_to("conversations", "conversation_id"),
        Index("ix_messages_conversation_id", "tenant_id", "conversation_id", "made_at"),
    )

    conversation_id: Mapped[UUID]
    author: Mapped[Author] = mapped_column(words(Author))
    kind: Mapped[MessageKind] = mapped_column(words(MessageKind))
    user_id: Mapped[UUID | None]
    for_model: Mapped[bool] = mapped_column(default=False)  # goes into the next request
    run_id: Mapped[UUID | None]  # the run that read it, or that wrote it
    after_turn: Mapped[int | None]
    drawn_from_outside: Mapped[bool] = mapped_column(default=False)
    content_id: Mapped[UUID]
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Mail(TenantOwned, Base):
    """A mail that arrived: one row per Message-ID and content, so the same mail twice is one task (fault E4)."""

    __tablename__ = "mails"
    __table_args__ = (
        belongs_to("conversations", "conversation_id"),
        UniqueConstraint("tenant_id", "mark"),
        Index("ix_mails_conversation_id", "tenant_id", "conversation_id"),
    )

    mark: Mapped[str]  # keyed hash of Message-ID and content
    conversation_id: Mapped[UUID]
    content_id: Mapped[
        UUID
    ]  # {"from", "from_name", "to", "subject", "date", "body", "message_id", "references", "raw"}
    arrived_at: Mapped[datetime] = mapped_column(server_default=NOW)
