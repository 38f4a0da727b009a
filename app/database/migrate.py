"""How does a database get its tables? By the migrations, as the owner; roles get their passwords here too."""

import time
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg import sql
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import InternalError, OperationalError

from app.database.engine import DatabaseRole, role_password, role_url
from app.errors import BadConfiguration

ROOT = Path(__file__).resolve().parents[2]
OLDEST_POSTGRESQL = 150000  # as `server_version_num` counts: 15.0
PAUSES = (0.2, 0.5, 1.0, 2.0)  # seconds
MIGRATION_LOCK = 0x706C61636574  # "placet": two `migrate` at once run one after the other


def migrate(database_url: str, app_secret: str, *, to: str = "head") -> None:
    """Bring the database to the tables of a version, the newest as a rule. Raises BadConfiguration if it cannot.

    Roles are the whole server's: where another database of it is migrated at the same moment, it is tried again.
    """
    for pause in (*PAUSES, None):
        try:
            return _migrate(database_url, app_secret, to)
        except (psycopg.errors.InternalError_, InternalError) as error:
            if pause is None or "concurrently updated" not in str(error):
                raise
            time.sleep(pause)


def _migrate(database_url: str, app_secret: str, to: str) -> None:
    engine = create_engine(role_url(database_url, DatabaseRole.OWNER, app_secret), connect_args={"connect_timeout": 5})
    try:
        with engine.begin() as connection:
            _require_version(connection)
            connection.execute(text("SET LOCAL lock_timeout = '10s'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, to)
            _set_passwords(connection, app_secret)
    except OperationalError as error:
        raise out_of_reach(error) from error
    finally:
        engine.dispose()


def newest_version() -> str:
    """The version of the tables that this code needs."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def current_version(connection: Connection) -> str | None:
    """The version of the tables that the database has; None if it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def out_of_reach(error: OperationalError) -> BadConfiguration:
    """One line for a database that does not answer or does not let us in."""
    reason = str(error.orig).strip().splitlines()[0] if error.orig else "no answer"
    return BadConfiguration(f"The database is out of reach: {reason}. Check DATABASE_URL and that PostgreSQL runs.")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def _require_version(connection: Connection) -> None:
    found = int(connection.scalar(text("SHOW server_version_num")))
    if found < OLDEST_POSTGRESQL:
        raise BadConfiguration(f"PostgreSQL {found // 10000} is too old: version 15 or newer is needed.")


def _set_passwords(connection: Connection, app_secret: str) -> None:
    """Give web, worker and operator the passwords that processes derive from APP_SECRET."""
    raw = connection.connection.driver_connection
    for role in (DatabaseRole.WEB, DatabaseRole.WORKER, DatabaseRole.OPERATOR):
        statement = sql.SQL("ALTER ROLE {} PASSWORD {}").format(
            sql.Identifier(role), sql.Literal(role_password(app_secret, role))
        )
        connection.exec_driver_sql(statement.as_string(raw).replace("%", "%%"))
