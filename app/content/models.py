"""Where is what people and employees wrote? Apart from everything else, sealed, out of the operator's reach."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NOW, Base, TenantOwned, belongs_to


class DataKey(TenantOwned, Base):
    """A key of one company for one period ('2026-12', or 'marks' for keyed hashes), wrapped under APP_SECRET."""

    __tablename__ = "data_keys"
    __table_args__ = (UniqueConstraint("tenant_id", "period"),)

    period: Mapped[str]
    wrapped: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Content(TenantOwned, Base):
    """One sealed value: a prompt, arguments, a result, an answer, a reason, a mail, a title."""

    __tablename__ = "content"
    __table_args__ = (belongs_to("data_keys", "key_id"),)

    key_id: Mapped[UUID]
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[datetime] = mapped_column(server_default=NOW)
