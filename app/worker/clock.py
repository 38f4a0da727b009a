"""When does each sweep run? APScheduler ticks them; how often stands beside each in sweeps.py."""

import asyncio
import logging
from datetime import UTC, datetime
from typing import cast

from apscheduler.events import EVENT_JOB_ERROR, JobExecutionEvent
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from app.database.away import patiently
from app.runs.house import House
from app.worker.sweeps import SWEEPS, Ticked

log = logging.getLogger(__name__)
LAST_TICK = 5.0  # seconds


async def ticking(house: House) -> None:
    """Tick at once, and until cancelled. A sweep that fails is logged and ticks again: what is due stays due."""
    scheduler = AsyncIOScheduler(job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1})
    going: set[asyncio.Task[object]] = set()

    async def tick(sweep: Ticked) -> None:
        task = cast("asyncio.Task[object]", asyncio.current_task())
        going.add(task)
        try:
            await patiently(lambda: sweep.tick(house), seconds=sweep.every)  # what is due every minute waits for none
        finally:
            going.discard(task)

    for sweep in SWEEPS:
        now = datetime.now(UTC)
        scheduler.add_job(tick, "interval", args=[sweep], seconds=sweep.every, id=sweep.name, next_run_time=now)
    scheduler.add_listener(_say, EVENT_JOB_ERROR)
    scheduler.start()
    try:
        await asyncio.Event().wait()
    finally:
        scheduler.pause()
        if going:
            await asyncio.wait(going, timeout=LAST_TICK)  # a mail that is just leaving leaves
        scheduler.shutdown(wait=False)


def _say(event: JobExecutionEvent) -> None:
    log.error("sweep_failed", extra={"sweep": event.job_id, "error": type(event.exception).__name__})
