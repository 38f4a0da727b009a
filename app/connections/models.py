"""Which keys and addresses of other services has a company entered? Each sealed in its own row, and gone with it."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, a_member


class Connection(TenantOwned, Base):
    """One value of one connector: the shop's address, the shop's key."""

    __tablename__ = "connections"
    __table_args__ = (
        a_member("entered_by"),
        UniqueConstraint("tenant_id", "connector", "name"),
    )

    connector: Mapped[str]
    name: Mapped[str]
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    entered_by: Mapped[UUID]
    entered_at: Mapped[datetime] = mapped_column(server_default=NOW)
    tried_at: Mapped[datetime | None]
    works: Mapped[bool | None]
