"""What runs on a clock? Each sweep does what is due, costs what is due, and may run in ten workers at once."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from app.approvals.expire import expire
from app.approvals.remind import remind
from app.budget.reserve import forgotten
from app.database.away import is_away, is_held
from app.database.due import due
from app.employees.trial import note_end
from app.notifications import outbox
from app.runs.house import House

log = logging.getLogger(__name__)
AT_ONCE = 200  # rows a tick
Sweep = Callable[[House, UUID, UUID], Awaitable[None]]


async def _expire(house: House, tenant_id: UUID, approval_id: UUID) -> None:
    async with house.database.tenant(tenant_id) as session:
        await expire(session, approval_id)


async def _remind(house: House, tenant_id: UUID, approval_id: UUID) -> None:
    async with house.database.tenant(tenant_id) as session:
        await remind(session, approval_id, house.settings)


async def _outbox(house: House, tenant_id: UUID, mail_id: UUID) -> None:
    await outbox.send(house.database, tenant_id, mail_id, house.mail, house.settings)


async def _usage(house: House, tenant_id: UUID, usage_id: UUID) -> None:
    async with house.database.tenant(tenant_id) as session:
        await forgotten(session, usage_id)


async def _trial(house: House, tenant_id: UUID, agent_id: UUID) -> None:
    async with house.database.tenant(tenant_id) as session:
        await note_end(session, agent_id)


@dataclass(frozen=True)
class Ticked:
    """One sweep: what it looks for (door_due), how often in seconds, and what it does with each."""

    name: str
    every: float
    do: Sweep

    async def tick(self, house: House) -> None:
        """Do what is due now, one transaction each. A row that cannot be done does not stand in the others' way."""
        for tenant_id, row_id in await due(house.database, self.name, AT_ONCE):
            try:
                await self.do(house, tenant_id, row_id)
            except Exception as error:  # a side task's: a bug is seen in the log, and met again at the next tick
                if is_away(error) and not is_held(error):
                    raise
                log.exception("sweep_stumbled", extra={"sweep": self.name, "row": str(row_id)})


SWEEPS = (
    Ticked("expire", 5, _expire),
    Ticked("remind", 10, _remind),
    Ticked("outbox", 5, _outbox),
    Ticked("usage", 60, _usage),
    Ticked("trial", 60, _trial),
)
