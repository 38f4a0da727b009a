"""Which AI employees does a company have, and what does each version of a job sheet say?"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member, belongs_to, words


class AgentStatus(StrEnum):
    """Whether an employee works."""

    ACTIVE = "active"
    PAUSED = "paused"  # takes no step; what waits, waits
    DISMISSED = "dismissed"


class Agent(TenantOwned, Base):
    """An AI employee of a company."""

    __tablename__ = "agents"

    template: Mapped[str]
    name: Mapped[str]  # chosen by people: the operator's role has no right to this column
    status: Mapped[AgentStatus] = mapped_column(words(AgentStatus), default=AgentStatus.ACTIVE)
    on_trial: Mapped[bool] = mapped_column(default=True)
    trial_ends_at: Mapped[datetime | None]  # None: until somebody says so
    trial_noted_at: Mapped[datetime | None]  # its end came and was noted; nothing loosens by that
    sheet_version: Mapped[int]
    hired_at: Mapped[datetime] = mapped_column(server_default=NOW)


class JobSheet(TenantOwned, Base):
    """One immutable version of what an employee is for and may do."""

    __tablename__ = "job_sheets"
    __table_args__ = (
        a_member("made_by"),
        belongs_to("agents", "agent_id"),
        UniqueConstraint("tenant_id", "agent_id", "version"),
    )

    agent_id: Mapped[UUID]
    version: Mapped[int]
    kinds: Mapped[dict[str, Any]]  # mode by kind: {"act": "ask"}
    tools: Mapped[dict[str, Any]]  # mode by tool: {"refund_order": "never"}
    listed_tools: Mapped[list[Any]]  # the tools that the employee has at all
    public_tools: Mapped[list[Any]]
    outside_content_rule: Mapped[bool] = mapped_column(default=True)
    ceilings: Mapped[list[Any]] = mapped_column(default=list)  # metadata only: app/ceilings/ceiling.py
    talkers: Mapped[list[Any]] = mapped_column(default=list)  # user ids who may talk to it; empty: everybody
    words_id: Mapped[UUID]  # content: {"mission": …, "instructions": …, "exceptions": […]}
    made_by: Mapped[UUID | None]
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)


class MailAddress(TenantOwned, Base):
    """Mail that arrives at this address is this employee's work. Given by the operator, so never by a company alone."""

    __tablename__ = "mail_addresses"
    __table_args__ = (
        belongs_to("agents", "agent_id"),
        UniqueConstraint("tenant_id", "address"),
        Index("ix_mail_addresses_address", "address"),
    )

    address: Mapped[str]
    agent_id: Mapped[UUID]
