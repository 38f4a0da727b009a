"""How does a test get a row in every table, knowing nothing but the tables? From the models, parents first."""

import os
import secrets
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb
from sqlalchemy import Column, DateTime, Enum, Integer, LargeBinary, Numeric, Table, Uuid
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.sqltypes import JSON, Boolean

from app.tables import METADATA

Row = dict[str, Any]
TENANT_TABLES = [
    table for table in METADATA.sorted_tables if "tenant_id" in table.columns and table.name != "journal_heads"
]
DOORS_ONLY = ("journal_heads", "sign_in_attempts")  # not even the owner writes there
SENTENCE = "Planted: the blue cup arrived broken"  # what the operator must never read


FROM_THE_TRIGGER = {"journal": ("position", "at", "previous_hash", "hash")}
# Of what is open there is at most one: a second row of the same parents has ended.
OVER: dict[str, Row] = {"runs": {"status": "done", "ended_at": datetime.now(UTC)}, "approvals": {"status": "withdrawn"}}


def any_row(table: Table, parents: dict[str, Row]) -> Row:
    """A row whose references lead to `parents`; what may be empty is."""
    left_out = FROM_THE_TRIGGER.get(table.name, ())
    row = {each.name: _value(each) for each in table.columns if not each.nullable and each.name not in left_out}
    for constraint in table.foreign_key_constraints:
        parent = parents[constraint.referred_table.name]
        for column, element in zip(constraint.columns, constraint.elements, strict=True):
            if not column.nullable:
                row[column.name] = parent[element.column.name]
    return row


def plant(connection: psycopg.Connection[Any], name: str) -> UUID:
    """One company with a row in every table; its id comes back."""
    return planted_rows(connection, name)["tenants"]["id"]


def planted_rows(connection: psycopg.Connection[Any], name: str) -> dict[str, Row]:
    """The same; the rows come back by table. Tables and columns that the database does not have yet are left out."""
    tenant = {"id": uuid4(), "name": name}
    connection.execute("SELECT set_config('placet.tenant_id', %s, false)", (str(tenant["id"]),))
    rows: dict[str, Row] = {"tenants": tenant}
    insert(connection, "tenants", tenant)
    there = _columns(connection)
    for table in METADATA.sorted_tables:
        if table.name in there and table.name not in ("tenants", *DOORS_ONLY):
            row = any_row(table, rows)
            rows[table.name] = {column: value for column, value in row.items() if column in there[table.name]}
            insert(connection, table.name, rows[table.name])
    return rows


def _columns(connection: psycopg.Connection[Any]) -> dict[str, set[str]]:
    found = connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
    )
    there: dict[str, set[str]] = {}
    for table, column in found:
        there.setdefault(table, set()).add(column)
    return there


def insert(connection: psycopg.Connection[Any], table: str, row: Row) -> None:
    """Insert a row as it is."""
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, row)),
        sql.SQL(", ").join(sql.Placeholder() for _ in row),
    )
    connection.execute(statement, list(row.values()))


def _value(column: Column[Any]) -> object:
    match column.type:
        case Enum() as kind:
            return kind.enums[0]
        case Uuid():
            return uuid4()
        case JSON() | JSONB():
            return Jsonb({})
        case Boolean():
            return False
        case Integer():
            return secrets.randbelow(1_000_000)
        case Numeric():
            return Decimal(1)
        case DateTime():
            return datetime.now(UTC)
        case LargeBinary():
            return os.urandom(16)
        case _:
            return f"{SENTENCE} {secrets.token_hex(4)}"
