"""What happens to a run when our own code fails? It ends by name with a reference; the detail is in the log only."""

import logging

from sqlalchemy.exc import DBAPIError

from app.runs.claim import Lease, LeaseLost
from app.runs.finish import end
from app.runs.situation import look
from app.runs.states import End

log = logging.getLogger(__name__)


async def fail(lease: Lease, reference: str) -> None:
    """End the run as broken. Where the database is out of reach nothing is written: its lease runs out."""
    try:
        async with lease.step() as (session, run):
            await end(session, await look(session, run), End.BROKE, reference=reference)
    except (LeaseLost, DBAPIError, OSError) as error:
        log.warning("run_left", extra={"run": str(lease.run_id), "error": type(error).__name__})
