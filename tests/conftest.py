"""What every test can ask for: a PostgreSQL of its own, the cast, and a browser for each of them.

One server per test run, started by whoever needs it first; one database per test process, cloned from a template that
the migrations built. Tests are kept apart by companies of their own, not by clearing tables.
"""

import fcntl
import gc
import inspect
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx2
import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from app.database.embedded import EmbeddedPostgres
from app.database.embedded_leftover import stop_leftovers
from app.database.embedded_place import find_place
from app.database.engine import DatabaseRole, role_url
from app.database.migrate import migrate
from app.database.transaction import Database
from app.settings import Settings
from tests.people import Cast, Company, Someone, make_cast, make_other, open_browser
from tests.scripted import Scripted, rest, with_model
from tests.serving import serving
from tests.together import Together
from tests.world import World, open_world

SECRET = "a secret of the tests, which is long enough"
TEMPLATE = "placet_template"
FOLDER = "PLACET_TEST_FOLDER"  # of this test run; test processes inherit it


OURS = pytest.StashKey[Path]()  # the folder that this process named, and removes


def pytest_configure(config: pytest.Config) -> None:
    """Name the folder of the server, unless a test run around this one has; it starts when a test first needs it."""
    if FOLDER not in os.environ:
        folder = Path(tempfile.mkdtemp(prefix="placet-tests-"))
        folder.chmod(0o711)  # as root the server runs as somebody else, who must pass through
        os.environ[FOLDER] = str(folder)
        config.stash[OURS] = folder


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Together:
    """Some tests stay together."""
    return Together(config, log)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop what was started."""
    folder = config.stash.get(OURS, None)
    if folder is None:
        return
    del os.environ[FOLDER]
    if (folder / "urls.json").exists():
        place = find_place(folder / "data")
        stop_leftovers(place.cluster, place.socket)
    shutil.rmtree(folder, ignore_errors=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported stays until the end: the collector of garbage need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: object, name: str, obj: object) -> None:
    """An `async def` test needs no mark."""
    if name.startswith("test_") and inspect.iscoroutinefunction(obj):
        pytest.mark.anyio(obj)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One event loop for all tests of a process, so that connections can be kept."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> dict[str, str]:
    """The addresses of the server: as owner and as superuser."""
    folder = Path(os.environ[FOLDER])
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = folder / "urls.json"
        if not file.exists():
            _SERVERS.append(EmbeddedPostgres(folder / "data"))
            server = _SERVERS[-1].start(fsync=False)
            urls = {"owner": server.url_owner, "superuser": server.url_superuser}
            _create(urls, TEMPLATE)
            migrate(_on(urls["owner"], TEMPLATE), SECRET)
            file.write_text(json.dumps(urls))
        kept: dict[str, str] = json.loads(file.read_text())
        return kept


_SERVERS: list[EmbeddedPostgres] = []  # held: its lock is ours as long as this process lives


@pytest.fixture(scope="session")
def database_url(postgres: dict[str, str], worker_id: str) -> str:
    """A database of this test process, with all tables, as the owner."""
    name = f"placet_{worker_id}_{os.getpid()}"
    _create(postgres, name, template=TEMPLATE)
    return _on(postgres["owner"], name)


@pytest.fixture(scope="session")
def settings(database_url: str) -> Settings:
    """The settings of a real installation."""
    return Settings(
        database_url=database_url, app_secret=SECRET, public_url="http://127.0.0.1", placet_env="production"
    )


def _as(settings: Settings, role: DatabaseRole) -> Database:
    return Database(role_url(settings.database_url, role, settings.app_secret), settings.app_secret, pool_size=4)


@pytest.fixture(scope="session")
async def owner(settings: Settings) -> AsyncIterator[Database]:
    """The database as the platform's own commands see it."""
    database = _as(settings, DatabaseRole.OWNER)
    yield database
    await database.close()


@pytest.fixture(scope="session")
async def web(settings: Settings) -> AsyncIterator[Database]:
    """The database as pages see it."""
    database = _as(settings, DatabaseRole.WEB)
    yield database
    await database.close()


@pytest.fixture(scope="session")
async def worker(settings: Settings) -> AsyncIterator[Database]:
    """The database as workers see it."""
    database = _as(settings, DatabaseRole.WORKER)
    yield database
    await database.close()


@pytest.fixture(scope="session")
async def operator(settings: Settings) -> AsyncIterator[Database]:
    """The database as operators see it."""
    database = _as(settings, DatabaseRole.OPERATOR)
    yield database
    await database.close()


@pytest.fixture(scope="session")
async def ritas(owner: Database) -> Company:
    """Another company, the same for all tests of a process: it is there to be kept out of everything."""
    return await make_other(owner)


@pytest.fixture
async def people(owner: Database, ritas: Company) -> AsyncIterator[Cast]:
    """A fresh Maison Colibri with nadia, omar, lea and Camille, and rita's company beside it."""
    cast = await make_cast(owner, ritas)
    yield cast
    for company in (cast.company, cast.rita.tenant_id):
        await rest(owner, company)


@pytest.fixture
def nadia(people: Cast) -> Someone:
    """Manages Camille."""
    return people.nadia


@pytest.fixture
def omar(people: Cast) -> Someone:
    """Admin of the company."""
    return people.omar


@pytest.fixture
def lea(people: Cast) -> Someone:
    """Member of the company."""
    return people.lea


@pytest.fixture
def rita(people: Cast) -> Someone:
    """Admin of another company."""
    return people.rita


@pytest.fixture(scope="session")
async def site(settings: Settings) -> AsyncIterator[str]:
    """The address of a real web server."""
    from app.web.application import create_app

    async with serving(create_app(settings)) as address:
        yield address


Browse = Callable[[Someone | None], AbstractAsyncContextManager[httpx2.AsyncClient]]


@pytest.fixture
def browse(site: str, web: Database) -> Browse:
    """A browser: signed in as somebody, or as nobody."""
    return lambda person: open_browser(site, web, person)


def _create(urls: dict[str, str], name: str, template: str = "template0") -> None:
    with psycopg.connect(urls["superuser"].replace("+psycopg", ""), autocommit=True) as connection:
        statement = sql.SQL("CREATE DATABASE {} OWNER placet_owner TEMPLATE {} STRATEGY wal_log")
        connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))


def _on(url: str, database: str) -> str:
    return make_url(url).set(database=database).render_as_string(hide_password=False)


@pytest.fixture(scope="session", autouse=True)
def _quiet_environment() -> Iterator[None]:
    """No variable of the machine that runs the tests changes what they see."""
    kept = {name: os.environ.pop(name) for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL") if name in os.environ}
    yield
    os.environ.update(kept)


@pytest.fixture
async def world(
    settings: Settings, tmp_path: Path, web: Database, worker: Database, owner: Database, people: Cast
) -> AsyncIterator[World]:
    """A practice model, a shop and a mail server, and a worker's hands."""
    async with open_world(settings, tmp_path, {"web": web, "worker": worker, "owner": owner}) as around:
        yield around


@pytest.fixture
def scripted(world: World) -> Scripted:
    """A world in which the model plays the script that its task holds."""
    return with_model(world, "practice-scripted")


@pytest.fixture
def obedient(world: World) -> Scripted:
    """A world in which the model does whatever it reads."""
    return with_model(world, "practice-obedient")
