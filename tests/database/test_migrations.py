"""The tables can be renewed under data: nothing is lost, and what is there already is left alone."""

import os

import psycopg
import pytest
from sqlalchemy import create_engine

from app.database.migrate import current_version, migrate, newest_version
from tests.conftest import SECRET, _create, _on
from tests.house.rows import planted_rows

KEPT = ("tenants", "users", "agents", "job_sheets", "runs", "calls", "approvals", "journal", "content")


@pytest.fixture
def empty(postgres: dict[str, str], worker_id: str) -> str:
    """A database without a table, as its owner."""
    name = f"placet_migrations_{worker_id}_{os.getpid()}"
    with psycopg.connect(postgres["superuser"].replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    _create(postgres, name)
    return _on(postgres["owner"], name)


def version(url: str) -> str | None:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = current_version(connection)
    engine.dispose()
    return found


def test_a_filled_database_keeps_its_rows_through_every_version(empty: str) -> None:
    migrate(empty, SECRET, to="0001")
    with psycopg.connect(empty.replace("+psycopg", "")) as connection:
        rows = planted_rows(connection, "Maison Colibri")

    migrate(empty, SECRET)

    assert version(empty) == newest_version()
    with psycopg.connect(empty.replace("+psycopg", "")) as connection:
        connection.execute("SELECT set_config('placet.tenant_id', %s, false)", (str(rows["tenants"]["id"]),))
        counts = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone() for table in KEPT}
    assert counts == dict.fromkeys(KEPT, (1,))


def test_renewing_what_is_new_already_changes_nothing(empty: str) -> None:
    migrate(empty, SECRET)
    migrate(empty, SECRET)
    assert version(empty) == newest_version()
