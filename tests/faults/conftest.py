"""What tests of faults can ask for: a PostgreSQL that may be struck, workers that may be killed, and a scene."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from app.database.embedded import EmbeddedPostgres
from app.database.embedded_place import find_place, find_programs
from app.database.engine import DatabaseRole, role_url
from app.database.migrate import migrate
from app.database.transaction import Database
from app.settings import Settings
from tests.conftest import SECRET
from tests.faults.scene import Scene, open_scene
from tests.faults.zygote import Zygote, open_zygote


class Struck:
    """A PostgreSQL of our own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = EmbeddedPostgres(folder)
        server = self._server.start(fsync=False)
        self.url = server.url_owner
        self._superuser = server.url_superuser.replace("+psycopg", "")

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """A worker that sleeps inside a transaction is cut off after 2 s, not 30: in the proportion of the leases."""
        change = "ALTER ROLE placet_worker SET idle_in_transaction_session_timeout = '{}s'"
        with psycopg.connect(self._superuser, autocommit=True) as connection:
            connection.execute(change.format(2))
            try:
                yield
            finally:
                connection.execute(change.format(30))

    def restart_at_once(self) -> None:
        """As after a crash: every connection is cut, and the server recovers from its log."""
        place = find_place(self._folder)
        log = str(place.cluster / "start.log")
        command = [find_programs(place) / "pg_ctl", "restart", "-w", "-s", "-m", "immediate", "-D", place.cluster]
        assert place.account.run([*command, "-l", log]).returncode == 0

    def cut(self, most: int, what: str = "%") -> int:
        """End some connections of workers, busy ones first, as a proxy or an administrator does; how many."""
        with psycopg.connect(self._superuser, autocommit=True) as connection:
            found = connection.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE usename ="
                " 'placet_worker' AND query LIKE %s ORDER BY state = 'idle', random() LIMIT %s) AS these",
                (what, most),
            ).fetchone()
        return int(found[0]) if found else 0

    def stop(self) -> None:
        """End it."""
        self._server.stop()


@pytest.fixture(scope="session")
def struck() -> Iterator[Struck]:
    """The PostgreSQL of the tests of faults, with all tables."""
    folder = Path(tempfile.mkdtemp(prefix="placet-faults-"))
    folder.chmod(0o711)  # as root the server runs as somebody else, who must pass through
    server = Struck(folder / "data")
    migrate(server.url, SECRET)
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def settings(struck: Struck) -> Settings:
    """The settings of a real installation on it."""
    return Settings(database_url=struck.url, app_secret=SECRET, public_url="http://127.0.0.1", placet_env="production")


@pytest.fixture(scope="session")
async def zygote(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Zygote]:
    """Forks workers."""
    async with open_zygote(tmp_path_factory.mktemp("workers") / "log") as one:
        yield one


@pytest.fixture
async def scene(
    settings: Settings, zygote: Zygote, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Scene]:
    """A fresh company with everything around it."""
    web, owner = (_as(settings, role) for role in (DatabaseRole.WEB, DatabaseRole.OWNER))
    seed = getattr(request, "param", 1)
    async with open_scene(zygote, settings, (web, owner), tmp_path, seed) as one:
        yield one
    await web.close()
    await owner.close()


def _as(settings: Settings, role: DatabaseRole) -> Database:
    return Database(role_url(settings.database_url, role, settings.app_secret), settings.app_secret, pool_size=3)
