"""How does a process reach PostgreSQL, and as whom? One role for each kind of process (DESIGN section 7)."""

from enum import StrEnum

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.errors import BadConfiguration


class DatabaseRole(StrEnum):
    """Who a process is to the database."""

    OWNER = "placet_owner"  # migrations and the creating of companies; row-level security is forced for it too
    WEB = "placet_web"
    WORKER = "placet_worker"  # cannot write a person's decision
    OPERATOR = "placet_operator"  # metadata only


def derive(app_secret: str, purpose: str) -> bytes:
    """32 bytes for one purpose out of APP_SECRET (HKDF-SHA256, RFC 5869)."""
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=b"placet", info=purpose.encode()).derive(app_secret.encode())


def role_password(app_secret: str, role: DatabaseRole) -> str:
    """The password of a database role: derived, so that one secret configures every process."""
    return derive(app_secret, f"database role {role}").hex()


def role_url(database_url: str, role: DatabaseRole, app_secret: str) -> URL:
    """The address of the database as `role`; the owner's user and password stand in `database_url` itself."""
    try:
        url = make_url(database_url).set(drivername="postgresql+psycopg")
    except Exception as error:
        raise BadConfiguration("DATABASE_URL is not an address like postgresql://user:password@host/name.") from error
    if role is DatabaseRole.OWNER:
        return url
    return url.set(username=role.value, password=role_password(app_secret, role))


def make_engine(url: URL, *, pool_size: int = 10) -> AsyncEngine:
    """A pool of connections; broken ones are noticed before use. A wait for a free one ends after 2 s (fault DB6)."""
    # The zone of a session is never a person's: people's zones are applied when a page is written.
    arguments = {"connect_timeout": 5, "options": "-c timezone=UTC"}
    return create_async_engine(
        url, pool_size=pool_size, max_overflow=5, pool_timeout=2, pool_pre_ping=True, connect_args=arguments
    )
