"""Where is a transaction opened and committed? Here, and nowhere else.

One request, or one step of a run, is one transaction in which one company is visible. Functions take a
`session` and never ask where it comes from; only this file commits (STYLE 12, 13).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast
from uuid import UUID

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.database.engine import make_engine
from app.database.keyring import Keyring


async def bind_tenant(session: AsyncSession, tenant_id: UUID) -> None:
    """Make one company visible until this transaction ends (`true` = LOCAL: a pooled connection forgets it)."""
    await session.execute(text("SELECT set_config('placet.tenant_id', :id, true)"), {"id": str(tenant_id)})
    session.info["tenant_id"] = tenant_id


def tenant_of(session: AsyncSession) -> UUID:
    """The company that this transaction is about. Raises KeyError if none was bound."""
    return cast(UUID, session.info["tenant_id"])


def keyring_of(session: AsyncSession) -> Keyring:
    """The keys under which this session's content is sealed."""
    return cast(Keyring, session.info["keyring"])


class Database:
    """A process's way to PostgreSQL as one role."""

    def __init__(self, url: URL, app_secret: str, *, pool_size: int = 10) -> None:
        self.engine = make_engine(url, pool_size=pool_size)
        self._keyring = Keyring(app_secret)
        self._sessions = async_sessionmaker(
            self.engine,
            expire_on_commit=False,
            autoflush=False,  # half a state must not reach the constraints: who needs a flush says so
        )

    @asynccontextmanager
    async def tenant(self, tenant_id: UUID) -> AsyncIterator[AsyncSession]:
        """One transaction that sees one company: commits at the end, rolls back when anything is raised."""
        async with self.unbound() as session:
            await bind_tenant(session, tenant_id)
            yield session

    @asynccontextmanager
    async def unbound(self) -> AsyncIterator[AsyncSession]:
        """One transaction that sees no company: for the doors of RELIABILITY B10."""
        async with self._sessions.begin() as session:
            session.info["keyring"] = self._keyring
            yield session

    async def close(self) -> None:
        """Give every connection back."""
        await self.engine.dispose()
