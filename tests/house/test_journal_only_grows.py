"""The journal's past is out of reach of everything that the application may say (promise 11, RELIABILITY R27)."""

from uuid import UUID, uuid4

import psycopg
import pytest

from app.database.engine import DatabaseRole
from tests.house.conftest import Connect

FORBIDDEN = "42501"
STATEMENTS = {
    "UPDATE journal SET event = 'x'": FORBIDDEN,
    "DELETE FROM journal": FORBIDDEN,
    "TRUNCATE journal": FORBIDDEN,
    "ALTER TABLE journal DISABLE TRIGGER ALL": FORBIDDEN,
    "ALTER TABLE journal ADD COLUMN x text": FORBIDDEN,
    "ALTER TABLE journal DISABLE ROW LEVEL SECURITY": FORBIDDEN,
    "DROP TABLE journal": FORBIDDEN,
    "CREATE TABLE journal_too (x text)": FORBIDDEN,
    "CREATE POLICY mine ON journal USING (true)": FORBIDDEN,
    "SET session_replication_role = replica": FORBIDDEN,
    "SET ROLE placet_owner": FORBIDDEN,
    "SET ROLE placet_door": FORBIDDEN,
    "COPY journal TO '/tmp/journal'": FORBIDDEN,
    "COPY (SELECT 1) TO PROGRAM 'true'": FORBIDDEN,
    "UPDATE journal_heads SET position = 0": FORBIDDEN,
    "INSERT INTO journal (tenant_id, id, position) VALUES (bound_tenant(), bound_tenant(), 1)": FORBIDDEN,
    "INSERT INTO journal (tenant_id, id, at) VALUES (bound_tenant(), bound_tenant(), now())": FORBIDDEN,
    "INSERT INTO journal (tenant_id, id, hash) VALUES (bound_tenant(), bound_tenant(), 'x')": FORBIDDEN,
    "SELECT pg_read_file('postgresql.conf')": FORBIDDEN,
}


@pytest.mark.parametrize("role", [DatabaseRole.WEB, DatabaseRole.WORKER])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_pages_and_workers_cannot(
    connect: Connect, planted: dict[str, UUID], role: DatabaseRole, statement: str
) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connect(role, planted["A"]).execute(statement)
    assert refused.value.sqlstate == STATEMENTS[statement]


@pytest.mark.parametrize("statement", ["UPDATE journal SET event = 'x'", "DELETE FROM journal", "TRUNCATE journal"])
def test_not_even_the_owner_of_the_tables(connect: Connect, planted: dict[str, UUID], statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="the journal only grows"):
        connect(DatabaseRole.OWNER, planted["A"]).execute(statement)


def test_the_next_entry_follows_on_the_last(connect: Connect, planted: dict[str, UUID]) -> None:
    connection = connect(DatabaseRole.WEB, planted["A"])
    for event in ("first", "second"):
        connection.execute(
            "INSERT INTO journal (tenant_id, id, event, facts) VALUES (%s, %s, %s, '{}')",
            (planted["A"], uuid4(), event),
        )
    entries = connection.execute("SELECT position, previous_hash, hash FROM journal ORDER BY position").fetchall()
    assert [position for position, _, _ in entries] == list(range(1, len(entries) + 1))
    assert [before for _, before, _ in entries[1:]] == [own for _, _, own in entries[:-1]]


def test_a_worker_cannot_write_a_persons_decision(connect: Connect, planted: dict[str, UUID]) -> None:
    worker = connect(DatabaseRole.WORKER, planted["A"])
    (person,) = worker.execute("SELECT user_id FROM memberships").fetchone()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        worker.execute("UPDATE approvals SET status = 'approved', decided_by = %s", (person,))
