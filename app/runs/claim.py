"""Which runs does this worker hold, and how does every write prove it? By a fencing token (RELIABILITY B4)."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.transaction import Database
from app.runs.breakpoints import reach
from app.runs.models import Run
from app.runs.states import RunStatus

LEASE = timedelta(seconds=15)  # a dead worker's run is taken over after that
BEATS = 4  # a lease is renewed so often that several beats may fail
BEFORE_AN_EFFECT = 1 / 8  # of a lease must be left when an effect begins


class LeaseLost(Exception):
    """Another worker holds this run now: drop everything, write nothing."""


@dataclass
class Lease:
    """One run, held by this worker until `until` on its own monotonic clock."""

    database: Database
    tenant_id: UUID
    run_id: UUID
    token: UUID
    length: timedelta = LEASE
    until: float = field(init=False)
    leaving: bool = False  # the worker is to stop: after the move under way the run goes to somebody else

    def __post_init__(self) -> None:
        self.until = time.monotonic() + self.length.total_seconds()

    @asynccontextmanager
    async def step(self) -> AsyncIterator[tuple[AsyncSession, Run]]:
        """One database step of the run. Raises LeaseLost, and then nothing was written."""
        began = time.monotonic()
        async with self.database.tenant(self.tenant_id) as session:
            run = await session.scalar(
                update(Run)
                .where(Run.tenant_id == self.tenant_id, Run.id == self.run_id)
                .where(Run.lease_token == self.token, Run.status == RunStatus.RUNNING)
                .values(lease_until=func.clock_timestamp() + self.length)
                .returning(Run)
                .execution_options(synchronize_session=False, populate_existing=True)
            )
            if run is None:
                raise LeaseLost
            yield session, run
            await reach("before_commit")
        self.until = max(self.until, began + self.length.total_seconds())
        await reach("after_commit")

    async def beat(self) -> None:
        """Hold it a little longer, if a step has not done so just now. Raises LeaseLost."""
        if time.monotonic() < self.until - self.length.total_seconds() * (BEATS - 1) / BEATS:
            async with self.step():
                await reach("beat")

    async def give_back(self) -> None:
        """Into the queue again, for whoever comes first; if it was lost already nothing is written."""
        async with self.database.tenant(self.tenant_id) as session:
            await session.execute(
                update(Run)
                .where(Run.tenant_id == self.tenant_id, Run.id == self.run_id)
                .where(Run.lease_token == self.token, Run.status == RunStatus.RUNNING)
                .values(status=RunStatus.QUEUED, lease_token=None, lease_until=None, due_at=func.clock_timestamp())
            )

    def require_time(self) -> None:
        """Raises LeaseLost where too little of the lease is left to begin an effect."""
        if time.monotonic() + self.length.total_seconds() * BEFORE_AN_EFFECT > self.until:
            raise LeaseLost


async def claim(database: Database, most: int, length: timedelta = LEASE) -> list[Lease]:
    """Take up to `most` runs that are due, fairly between companies."""
    async with database.unbound() as session:
        rows = await session.execute(
            text("SELECT tenant_id, run_id, lease_token FROM door_claim_runs(:most, :seconds)"),
            {"most": most, "seconds": int(length.total_seconds())},
        )
        return [Lease(database, row.tenant_id, row.run_id, row.lease_token, length) for row in rows]
