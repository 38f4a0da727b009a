"""Who are the companies and the people, and what may each do where?"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member, belongs_to, words
from app.ids import new_id


class Role(StrEnum):
    """What a person is in a company."""

    ADMIN = "admin"  # decides for all employees, and for the company's settings
    MANAGER = "manager"  # decides for the employees that are theirs
    MEMBER = "member"  # talks to employees


class PlatformRole(StrEnum):
    """What a person is to the platform; neither decides anything for a company."""

    OPERATOR = "operator"  # sees metadata
    SUPPORT = "support"  # opens one transcript, with a reason


class Tenant(Base):
    """A company using the service; nothing crosses between two."""

    __tablename__ = "tenants"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    name: Mapped[str]
    language: Mapped[str] = mapped_column(server_default="en")
    time_zone: Mapped[str] = mapped_column(server_default="Europe/Paris")
    floors: Mapped[dict[str, Any]] = mapped_column(server_default="{}")  # kind of work -> the loosest mode there is
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)


class User(Base):
    """A person who signs in. One person may work for several companies."""

    __tablename__ = "users"
    __table_args__ = (Index("uq_users_email", text("lower(email)"), unique=True),)

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    email: Mapped[str]
    name: Mapped[str]
    password_hash: Mapped[str]
    platform_role: Mapped[PlatformRole | None] = mapped_column(words(PlatformRole))
    language: Mapped[str | None]  # None: as the browser asks
    time_zone: Mapped[str | None]  # None: the company's
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Membership(TenantOwned, Base):
    """A person's place in a company, until `ended_at`."""

    __tablename__ = "memberships"
    __table_args__ = (UniqueConstraint("tenant_id", "user_id"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id"))
    role: Mapped[Role] = mapped_column(words(Role))
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
    ended_at: Mapped[datetime | None]


class AgentManager(TenantOwned, Base):
    """This person decides for this employee."""

    __tablename__ = "agent_managers"
    __table_args__ = (
        a_member("user_id"),
        belongs_to("agents", "agent_id"),
        UniqueConstraint("tenant_id", "agent_id", "user_id"),
    )

    agent_id: Mapped[UUID]
    user_id: Mapped[UUID]


class Session(TenantOwned, Base):
    """A signed-in browser: only a hash of its token is kept (RELIABILITY A10)."""

    __tablename__ = "sessions"
    __table_args__ = (
        a_member("user_id"),
        UniqueConstraint("tenant_id", "token_hash"),
        Index("ix_sessions_token_hash", "token_hash"),
    )

    user_id: Mapped[UUID]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class SignInAttempt(Base):
    """How often a sign-in was tried lately, by a keyed hash of address or e-mail; read by a door only."""

    __tablename__ = "sign_in_attempts"

    key: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime] = mapped_column(server_default=NOW)
    count: Mapped[int] = mapped_column(server_default="0")
