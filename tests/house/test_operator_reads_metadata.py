"""The operator's database role reads figures and ids, column by column, and nothing else (promise 10, R18)."""

from uuid import UUID

import psycopg
import pytest

from app.database.engine import DatabaseRole
from tests.house.conftest import Connect
from tests.house.rows import SENTENCE

# What is not written here is not readable. Adding a column to this list is a decision about people's privacy.
METADATA = {
    "alembic_version": "version_num",
    "tenants": "id name language time_zone made_at",
    "agents": "tenant_id id template status on_trial trial_ends_at sheet_version hired_at",
    "runs": "tenant_id id agent_id origin status waiting_for end error_reference due_at claims worked_ms made_at"
    " ended_at",
    "turns": "tenant_id id run_id number counted stop_reason model input_tokens output_tokens cache_read_tokens"
    " cache_write_tokens usage_known cost_usd duration_ms made_at",
    "calls": "tenant_id id run_id turn_id position tool kind mode trail status refused_by is_error error_reference"
    " intent_at outcome_at made_at",
    "approvals": "tenant_id id agent_id run_id call_id status changed asked_at reminded_at expires_at decided_at"
    " withdrawn_why",
    "budgets": "tenant_id id month limit_usd reserved_usd settled_usd",
    "usage": "tenant_id id run_id model status reserved_usd cost_usd made_at",
    "outbox": "tenant_id id name status attempts due_at last_code made_at sent_at",
}
WORDS_OF_OURS = {  # text that code writes, never a person or a model; the planted rows put a sentence there too
    ("agents", "template"),
    ("turns", "model"),
    ("calls", "tool"),
    ("budgets", "month"),
    ("usage", "model"),
    ("outbox", "name"),
}


def test_each_column_is_readable_exactly_if_it_is_on_the_list(connect: Connect) -> None:
    operator, owner = connect(DatabaseRole.OPERATOR), connect(DatabaseRole.OWNER)
    columns = owner.execute(
        "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'public'"
    ).fetchall()
    read = {(table, column) for table, column in columns if reads(operator, table, column)}
    listed = {(table, column) for table, names in METADATA.items() for column in names.split()}
    assert read == listed and len(columns) > len(listed) * 2


def test_no_readable_column_holds_what_people_wrote(connect: Connect, planted: dict[str, UUID]) -> None:
    operator = connect(DatabaseRole.OPERATOR)
    found = set()
    for table, names in METADATA.items():
        for column in names.split():
            rows = operator.execute(f'SELECT "{column}"::text FROM {table}').fetchall()
            assert rows, table
            found |= {(table, column) for (value,) in rows if value and SENTENCE in value}
    assert found == WORDS_OF_OURS


@pytest.mark.parametrize("table", METADATA)
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "INSERT INTO {} DEFAULT VALUES", "TRUNCATE {}"])
def test_the_operator_changes_nothing(connect: Connect, table: str, statement: str) -> None:
    operator = connect(DatabaseRole.OPERATOR)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        operator.execute(statement.format(table))


def reads(connection, table: str, column: str) -> bool:
    try:
        with connection.transaction():
            connection.execute(f'SELECT "{column}" FROM {table}')
    except psycopg.errors.InsufficientPrivilege:
        return False
    return True
