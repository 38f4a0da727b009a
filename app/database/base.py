"""What do all tables have in common? Names of constraints, types of columns, and the tenant that owns the row."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import JSON, DateTime, Enum, ForeignKey, ForeignKeyConstraint, MetaData, Numeric, Text, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from app.ids import new_id

type_of_json = JSON().with_variant(JSONB(), "postgresql")
NOW = text("clock_timestamp()")


class Base(DeclarativeBase):
    """The one registry of tables; constraints get names that the code can know."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text(),
        datetime: DateTime(timezone=True),
        Decimal: Numeric(16, 6),
        UUID: Uuid(),
        dict[str, Any]: type_of_json,
        list[Any]: type_of_json,
    }


def words(kind: type[StrEnum]) -> Enum:
    """A text column that holds only the values of `kind`, and comes back as `kind` (not as a bare string)."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=True,
        length=40,
        name=kind.__name__.lower(),
        values_callable=lambda members: [member.value for member in members],
    )


class TenantOwned:
    """A row of one company: the key leads with its tenant, so that nothing can refer across (promise 9)."""

    tenant_id: Mapped[UUID] = mapped_column(ForeignKey("tenants.id"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)


def belongs_to(table: str, column: str) -> ForeignKeyConstraint:
    """`column` names a row of `table` in the same company."""
    return ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"])


def a_member(column: str) -> ForeignKeyConstraint:
    """`column` names a person of the same company (who may have left since); a stranger's id is unknown."""
    return ForeignKeyConstraint(["tenant_id", column], ["memberships.tenant_id", "memberships.user_id"])
