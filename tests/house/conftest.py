"""A migrated database for the tests of its rules: who is connected as whom, with which company bound."""

import os
from collections.abc import Callable, Iterator
from uuid import UUID

import psycopg
import pytest
from psycopg.rows import tuple_row

from app.database.engine import DatabaseRole, role_url
from tests.conftest import SECRET, TEMPLATE, _create, _on
from tests.house.rows import plant

Connect = Callable[..., psycopg.Connection[tuple[object, ...]]]


@pytest.fixture(scope="session")
def house_url(postgres: dict[str, str], worker_id: str) -> str:
    """The owner's address of a database apart: its planted rows are nobody's work, so no worker may find them."""
    name = f"placet_house_{worker_id}_{os.getpid()}"
    _create(postgres, name, template=TEMPLATE)
    return _on(postgres["owner"], name)


@pytest.fixture(scope="session")
def planted(house_url: str) -> dict[str, UUID]:
    """Two companies, A and B, each with a row in every table."""
    with psycopg.connect(plain(house_url, DatabaseRole.OWNER)) as connection:
        return {name: plant(connection, name) for name in ("A", "B")}


@pytest.fixture
def connect(house_url: str) -> Iterator[Connect]:
    """Open a connection as a role, one company bound; nothing that a test does is kept."""
    opened: list[psycopg.Connection[tuple[object, ...]]] = []

    def open_as(role: DatabaseRole, tenant: UUID | None = None) -> psycopg.Connection[tuple[object, ...]]:
        connection = psycopg.connect(plain(house_url, role), row_factory=tuple_row)
        opened.append(connection)
        if tenant is not None:
            connection.execute("SELECT set_config('placet.tenant_id', %s, true)", (str(tenant),))
        return connection

    yield open_as
    for connection in opened:
        connection.close()


def plain(url: str, role: DatabaseRole) -> str:
    """The address as psycopg writes it."""
    return role_url(url, role, SECRET).set(drivername="postgresql").render_as_string(hide_password=False)
