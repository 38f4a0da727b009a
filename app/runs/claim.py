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
from app.runs.models import Run
from app.runs.states import RunStatus

LEASE = timedelta(seconds=15)  # a dead worker's run is taken over after that
HEARTBEAT = 4.0  # seconds; several fit into a lease


class LeaseLost(Exception):
    """Another worker holds this run now: drop everything, write nothing."""


@dataclass
class Lease:
    """One run, held by this worker until `until` on its own monotonic clock."""

    database: Database
    tenant_id: UUID
    run_id: UUID
    token: UUID
    until: float = field(default_factory=lambda: time.monotonic() + LEASE.total_seconds())

    @asynccontextmanager
    async def step(self) -> AsyncIterator[tuple[AsyncSession, Run]]:
        """One database step of the run. Raises LeaseLost, and then nothing was written."""
        began = time.monotonic()
        async with self.database.tenant(self.tenant_id) as session:
            run = await session.scalar(
                update(Run)
                .where(Run.tenant_id == self.tenant_id, Run.id == self.run_id)
                .where(Run.lease_token == self.token, Run.status == RunStatus.RUNNING)
                .values(lease_until=func.clock_timestamp() + LEASE)
                .returning(Run)
                .execution_options(synchronize_session=False, populate_existing=True)
            )
            if run is None:
                raise LeaseLost
            yield session, run
        self.until = began + LEASE.total_seconds()

    async def beat(self) -> None:
        """Hold it a little longer. Raises LeaseLost."""
        async with self.step():
            pass

    def require_time(self, seconds: float = 2.0) -> None:
        """Raises LeaseLost where too little of the lease is left to begin an effect."""
        if time.monotonic() + seconds > self.until:
            raise LeaseLost


async def claim(database: Database, most: int) -> list[Lease]:
    """Take up to `most` runs that are due, fairly between companies."""
    async with database.unbound() as session:
        rows = await session.execute(
            text("SELECT tenant_id, run_id, lease_token FROM door_claim_runs(:most, :seconds)"),
            {"most": most, "seconds": int(LEASE.total_seconds())},
        )
        return [Lease(database, row.tenant_id, row.run_id, row.lease_token) for row in rows]
