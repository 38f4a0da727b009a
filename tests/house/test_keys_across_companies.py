"""An error tells nobody that another company has a value: keys hold the company (RELIABILITY B9, R16)."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import psycopg
import pytest
from sqlalchemy import ForeignKeyConstraint, Table, UniqueConstraint

from app.database.engine import DatabaseRole
from tests.house.conftest import Connect
from tests.house.rows import OVER, TENANT_TABLES, Row, any_row, insert, planted_rows

# A membership leads to a person, who may work for several companies; everything else leads to the membership.
OF_NO_COMPANY = {"users", "tenants"}


def name_of_key(key: ForeignKeyConstraint | UniqueConstraint) -> str:
    """SQLAlchemy keeps them in sets, and every test process must collect the same order."""
    return str(key.name)


def unique_keys() -> Iterator[tuple[Table, tuple[str, ...]]]:
    for table in TENANT_TABLES:
        yield table, tuple(column.name for column in table.primary_key)
        for constraint in sorted(table.constraints, key=name_of_key):
            if isinstance(constraint, UniqueConstraint):
                yield table, tuple(column.name for column in constraint.columns)
        for index in sorted(table.indexes, key=name_of_key):
            if index.unique:
                yield table, tuple(column.name for column in index.columns)


def foreign_keys() -> Iterator[tuple[Table, ForeignKeyConstraint]]:
    for table in TENANT_TABLES:
        for constraint in sorted(table.foreign_key_constraints, key=name_of_key):
            if constraint.referred_table.name not in OF_NO_COMPANY:
                yield table, constraint


@pytest.fixture
def companies(connect: Connect) -> tuple[psycopg.Connection[tuple[object, ...]], dict[str, Row], dict[str, Row]]:
    """A connection bound to B, and the rows of A and of B; nothing of it is kept."""
    connection = connect(DatabaseRole.OWNER)
    first, second = planted_rows(connection, "A"), planted_rows(connection, "B")
    return connection, first, second


def outcome(connection: psycopg.Connection[tuple[object, ...]], table: str, row: Row) -> str:
    """What an insert answers: "kept", or the SQLSTATE. It is taken back."""
    try:
        with connection.transaction(force_rollback=True):
            insert(connection, table, row)
    except psycopg.Error as error:
        return str(error.sqlstate)
    return "kept"


@pytest.mark.parametrize(("table", "key"), list(unique_keys()), ids=lambda part: getattr(part, "name", None))
def test_a_value_that_another_company_has_is_as_good_as_any(companies, table: Table, key: tuple[str, ...]) -> None:
    connection, first, second = companies
    assert "tenant_id" in key
    fresh = {**any_row(table, second), **OVER.get(table.name, {})}
    theirs = {name: first[table.name][name] for name in key if name != "tenant_id" and name in first[table.name]}
    own_references = {column.name for constraint in table.foreign_key_constraints for column in constraint.columns}
    copied = {**fresh, **{name: value for name, value in theirs.items() if name not in own_references}}
    assert outcome(connection, table.name, copied) == outcome(connection, table.name, fresh)


@pytest.mark.parametrize(("table", "key"), list(foreign_keys()), ids=lambda part: getattr(part, "name", None))
def test_a_row_of_another_company_is_as_absent_as_none(companies, table: Table, key: ForeignKeyConstraint) -> None:
    connection, first, second = companies
    fresh = {**any_row(table, second), **OVER.get(table.name, {})}
    parent = first[key.referred_table.name]
    pairs = [(column.name, element.column.name) for column, element in zip(key.columns, key.elements, strict=True)]
    names = [pair for pair in pairs if pair[0] != "tenant_id"]
    assert len(names) == len(pairs) - 1
    theirs = {**fresh, **{column: parent[there] for column, there in names}}
    nobodys = {**fresh, **{column: uuid4() for column, _ in names}}
    assert outcome(connection, table.name, theirs) == outcome(connection, table.name, nobodys) == "23503"


def test_a_row_cannot_be_written_into_another_company(connect: Connect, planted: dict[str, UUID]) -> None:
    connection = connect(DatabaseRole.WEB, planted["B"])
    row = {"tenant_id": planted["A"], "id": uuid4(), "name": "x", "outcome": "{}"}
    assert outcome(connection, "operations", row) == "42501"
