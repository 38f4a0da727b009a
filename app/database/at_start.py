"""Can this process work with this database? Asked at its start: there, new enough, and with this version's tables."""

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import OperationalError

from app.database.engine import DatabaseRole, role_url
from app.database.migrate import current_version, newest_version, out_of_reach
from app.errors import BadConfiguration


def require_ready(database_url: str, app_secret: str, role: DatabaseRole) -> None:
    """Raises BadConfiguration, in one line that says what to do, where the process could not work."""
    engine = create_engine(role_url(database_url, role, app_secret), connect_args={"connect_timeout": 5})
    try:
        with engine.connect() as connection:
            _require_tables(connection)
    except OperationalError as error:
        if "authentication failed" in str(error.orig) or "does not exist" in str(error.orig):
            raise BadConfiguration(
                f"The database does not let {role} in. Run `placet migrate` first, with the same DATABASE_URL"
                " and APP_SECRET."
            ) from None
        raise out_of_reach(error) from None
    finally:
        engine.dispose()


def _require_tables(connection: Connection) -> None:
    found, wanted = current_version(connection), newest_version()
    if found != wanted:
        raise BadConfiguration(
            f"The tables are at version {found or 'none'}, this Placet needs {wanted}: run `placet migrate`,"
            " or start the version that made them."
        )
