"""Which services with tools of somebody else's making has a company added, and what did each say that it can do?"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member, belongs_to, words
from app.policy.decision import Kind


class ToolServer(TenantOwned, Base):
    """A server that speaks the Model Context Protocol."""

    __tablename__ = "tool_servers"
    __table_args__ = (
        a_member("added_by"),
        Index("uq_tool_servers_name", "tenant_id", "name", unique=True, postgresql_where=text("removed_at IS NULL")),
    )

    name: Mapped[str]  # the first part of its tools' names
    sealed: Mapped[bytes] = mapped_column(LargeBinary)  # {"address": …, "refused": [{"name", "why"}]}
    added_by: Mapped[UUID]
    added_at: Mapped[datetime] = mapped_column(server_default=NOW)
    looked_at: Mapped[datetime] = mapped_column(server_default=NOW)  # when its list was last fetched
    removed_at: Mapped[datetime | None]


class ForeignTool(TenantOwned, Base):
    """One tool of a server, as it was when the list was last fetched, and what a person said about it."""

    __tablename__ = "foreign_tools"
    __table_args__ = (
        belongs_to("tool_servers", "server_id"),
        a_member("reviewed_by"),
        UniqueConstraint("tenant_id", "server_id", "name"),
    )

    server_id: Mapped[UUID]
    name: Mapped[str]  # as the model and the job sheet call it: server__tool
    sealed: Mapped[bytes] = mapped_column(LargeBinary)  # its definition: somebody else's words
    mark: Mapped[str]  # keyed hash of the whole definition: any change of it is noticed
    kind: Mapped[Kind] = mapped_column(words(Kind))  # guessed, or what a person said
    reason: Mapped[str]  # why it was guessed so: a key of app/policy/classify.py REASONS
    reviewed_mark: Mapped[str | None]  # the definition that a person has looked at
    reviewed_by: Mapped[UUID | None]
    reviewed_at: Mapped[datetime | None]
    changed_at: Mapped[datetime | None]  # when it was last found to be another one
    gone_at: Mapped[datetime | None]  # no longer in the list
