"""Which mails of the house (reminders) are to go out, and which went?"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member, words


class OutboxStatus(StrEnum):
    """How a mail of the house stands."""

    WAITING = "waiting"
    SENT = "sent"
    DEAD = "dead"  # the server refuses it for good, or for three days


class OutboxMail(TenantOwned, Base):
    """A mail of the house; its Message-ID is made with the row and never again (RELIABILITY B14)."""

    __tablename__ = "outbox"
    __table_args__ = (
        a_member("user_id"),
        UniqueConstraint("tenant_id", "message_id"),
        Index("ix_outbox_due", "due_at", postgresql_where=text("status = 'waiting'")),
    )

    name: Mapped[str]  # which mail: approval_reminder
    user_id: Mapped[UUID]
    about: Mapped[UUID | None]
    message_id: Mapped[str]
    content_id: Mapped[UUID]  # {"to", "subject", "text", "html"}
    status: Mapped[OutboxStatus] = mapped_column(words(OutboxStatus), default=OutboxStatus.WAITING)
    attempts: Mapped[int] = mapped_column(server_default="0")
    due_at: Mapped[datetime] = mapped_column(server_default=NOW)
    last_code: Mapped[str | None]
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
    sent_at: Mapped[datetime | None]
