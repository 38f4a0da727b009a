"""What has a person been asked, and what did they answer?"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member, belongs_to, words


class ApprovalStatus(StrEnum):
    """How a request stands."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"  # silence is refusal (promise 3)
    WITHDRAWN = "withdrawn"  # the run ended, or what it was about changed
    SUPERSEDED = "superseded"


class Approval(TenantOwned, Base):
    """A request that one exact call may go ahead (promise 2: held by a keyed hash of its arguments)."""

    __tablename__ = "approvals"
    __table_args__ = (
        a_member("decided_by"),
        belongs_to("agents", "agent_id"),
        belongs_to("runs", "run_id"),
        belongs_to("calls", "call_id"),
        CheckConstraint("status NOT IN ('approved','rejected') OR decided_by IS NOT NULL", name="decided_by_a_person"),
        CheckConstraint("status NOT IN ('pending','expired') OR decided_by IS NULL", name="silence_has_no_name"),
        Index(
            "uq_approvals_one_open", "tenant_id", "call_id", unique=True, postgresql_where=text("status = 'pending'")
        ),
        Index("ix_approvals_run_id", "tenant_id", "run_id"),
        Index("ix_approvals_due", "expires_at", postgresql_where=text("status = 'pending'")),
    )

    agent_id: Mapped[UUID]
    run_id: Mapped[UUID]
    call_id: Mapped[UUID]
    sheet_id: Mapped[UUID]  # the version that made it ask
    status: Mapped[ApprovalStatus] = mapped_column(words(ApprovalStatus), default=ApprovalStatus.PENDING)
    arguments_id: Mapped[UUID]  # content: exactly what the person is shown and what will run
    arguments_mark: Mapped[str]
    changed: Mapped[bool] = mapped_column(default=False)  # the person changed the arguments
    correspondent_mark: Mapped[str | None]
    asked_at: Mapped[datetime] = mapped_column(server_default=NOW)
    remind_at: Mapped[datetime]
    reminded_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]
    decided_by: Mapped[UUID | None]
    decided_at: Mapped[datetime | None]
    comment_id: Mapped[UUID | None]  # content: the person's word
    withdrawn_why: Mapped[str | None]  # a name: run_ended, agent_paused, policy_changed, tool_gone, too_late_to_run


class Grant(TenantOwned, Base):
    """ "Always in this conversation" for a tool, given by a person; ends with it or after 24 hours."""

    __tablename__ = "grants"
    __table_args__ = (
        a_member("given_by"),
        belongs_to("conversations", "conversation_id"),
        Index("ix_grants_conversation_id", "tenant_id", "conversation_id"),
    )

    conversation_id: Mapped[UUID]
    tool: Mapped[str]
    scope_id: Mapped[UUID | None]  # content: the arguments it fixes; None: any
    facts: Mapped[dict[str, Any]] = mapped_column(default=dict)
    given_by: Mapped[UUID]
    given_at: Mapped[datetime] = mapped_column(server_default=NOW)
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
