"""When does each sweep run? APScheduler ticks them; how often stands beside each in sweeps.py."""

import asyncio
import logging
from datetime import UTC, datetime

from apscheduler.events import EVENT_JOB_ERROR, JobExecutionEvent
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from app.runs.house import House
from app.worker.sweeps import SWEEPS

log = logging.getLogger(__name__)


async def ticking(house: House) -> None:
    """Tick at once, and until cancelled. A sweep that fails is logged and ticks again: what is due stays due."""
    scheduler = AsyncIOScheduler(job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1})
    for sweep in SWEEPS:
        scheduler.add_job(
            sweep.tick, "interval", args=[house], seconds=sweep.every, id=sweep.name, next_run_time=datetime.now(UTC)
        )
    scheduler.add_listener(_say, EVENT_JOB_ERROR)
    scheduler.start()
    try:
        await asyncio.Event().wait()
    finally:
        scheduler.shutdown(wait=False)


def _say(event: JobExecutionEvent) -> None:
    log.error("sweep_failed", extra={"sweep": event.job_id, "error": type(event.exception).__name__})
