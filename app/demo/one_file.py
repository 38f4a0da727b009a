"""How do the demo's servers keep what they know? Each in one SQLite file, a connection for each request."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def make_file(file: Path, schema: str) -> None:
    """Make the file and its tables if they are not there. Readers do not wait for writers (WAL)."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open_file(file) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"BEGIN;\n{schema};\nCOMMIT")  # one write, not one for each table


@contextmanager
def open_file(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection for one request; writers wait for each other up to 10 seconds."""
    connection = sqlite3.connect(file, timeout=10, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")  # what was acknowledged is on the disk
        yield connection
    finally:
        connection.close()


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that holds the only write lock from its start: what it reads stays true until it commits."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
