"""The commands of docker-compose.yml, one after the other, against a PostgreSQL that is not the demo's."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import psycopg
import pytest
from typer.testing import CliRunner, Result

from app.cli.main import app
from app.database.migrate import newest_version
from app.listen import listen
from tests.conftest import SECRET, _create, _on
from tests.model.conftest import practice_url

__all__ = ["practice_url"]

Environment = dict[str, str]
ADMIN = ("--admin-email", "omar@example.com", "--admin-name", "Omar")


@pytest.fixture(scope="module")
def empty(postgres: dict[str, str]) -> Environment:
    """Settings of an installation whose database has no tables yet."""
    name = f"installation_{os.getpid()}"
    _create(postgres, name)
    return {"DATABASE_URL": _on(postgres["owner"], name).replace("+psycopg", ""), "APP_SECRET": SECRET}


@pytest.fixture(scope="module")
def migrated(empty: Environment) -> Environment:
    """The same with tables and a first company."""
    assert "at version" in run("migrate", **empty).stdout
    made = run("create-company", "Maison Colibri", *ADMIN, typed="a long password", **empty)
    assert made.stdout == "Maison Colibri is here; omar@example.com can sign in.\n"
    return empty


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "app.cli.main", *words]


def run(*words: str, typed: str = "", **environment: str) -> Result:
    """An errand, or a start that is refused."""
    return CliRunner().invoke(app, words, env=environment, input=typed)


@contextmanager
def running(*words: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A process that is stopped as a container is: SIGTERM, and it ends with 0 within seconds."""
    process = subprocess.Popen(command(*words), env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True)
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0, process.communicate()
    finally:
        process.kill()
        process.communicate()


def free_port() -> int:
    with listen("127.0.0.1", 0) as found:
        return int(found.getsockname()[1])


def answers(process: subprocess.Popen[str], url: str) -> httpx2.Response:
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        try:
            return httpx2.get(url)
        except httpx2.ConnectError:
            time.sleep(0.1)
    raise AssertionError(process.communicate())


def test_before_migrate_nothing_starts(empty: Environment) -> None:
    refused = run("web", **empty)
    assert refused.exit_code == 2 and "placet migrate" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_migrate_may_run_again(migrated: Environment) -> None:
    again = run("migrate", **migrated)
    assert (again.exit_code, again.stderr) == (0, "")


def test_the_web_server_is_alive_and_ready_and_logs_no_query(migrated: Environment) -> None:
    port = free_port()
    with running("web", **migrated, PORT=str(port)) as web:
        url = f"http://127.0.0.1:{port}"
        assert answers(web, f"{url}/healthz?word=tulip").status_code == 200
        assert httpx2.get(f"{url}/readyz").text == "ready\n"
        web.send_signal(signal.SIGTERM)
        written = web.communicate(timeout=20)[1]
    lines = [json.loads(line) for line in written.splitlines()]
    assert "answered" in {line["event"] for line in lines} and "tulip" not in written


def test_a_worker_starts_takes_mail_in_and_stops(migrated: Environment, practice_url: str) -> None:
    port = free_port()
    model = {"ANTHROPIC_BASE_URL": practice_url, "PLACET_MAIL_IN": f"127.0.0.1:{port}"}
    with running("worker", **migrated, **model) as worker:
        assert answers_by_smtp(worker, port) == b"220"


def answers_by_smtp(process: subprocess.Popen[str], port: int) -> bytes:
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                return connection.recv(3)
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise AssertionError(process.communicate())


def test_another_secret_than_the_one_of_the_tables_is_refused(migrated: Environment) -> None:
    refused = run("web", **{**migrated, "APP_SECRET": "x" * 48})
    assert refused.exit_code == 2 and "APP_SECRET" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_tables_of_another_version_are_refused(migrated: Environment) -> None:
    with psycopg.connect(migrated["DATABASE_URL"]) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    refused = run("web", **migrated)
    with psycopg.connect(migrated["DATABASE_URL"]) as connection:
        connection.execute("UPDATE alembic_version SET version_num = %s", (newest_version(),))
    assert refused.exit_code == 2 and "The tables are at version 0000" in refused.stderr


@pytest.mark.parametrize(
    ("words", "typed", "says"),
    [
        (("create-operator", "pia@example.com", "--name", "Pia"), "short", "A password needs 12 to 200 characters."),
        (("create-company", "X", *ADMIN), "a long password", "Somebody with this e-mail address is here already."),
        (("create-operator", "no address", "--name", "Pia"), "a long password", "That is not an e-mail address."),
        (
            ("give-address", "a@example.com", "--employee", "Camille", "--company-of", "omar@example.com"),
            "",
            "No employee of this name works in that company. It has to be hired first, on the pages of the company.",
        ),
    ],
)
def test_who_cannot_be_taken_in_is_told_why(
    migrated: Environment, words: tuple[str, ...], typed: str, says: str
) -> None:
    refused = run(*words, typed=typed, **migrated)
    assert (refused.exit_code, refused.stderr) == (2, f"placet: {says}\n")


def test_an_operator_is_taken_in(migrated: Environment) -> None:
    made = run("create-operator", "pia@example.com", "--name", "Pia", typed="a long password", **migrated)
    assert made.stdout == "pia@example.com is here, as operator.\n"
