"""Real workers to be killed: `python -m tests.faults.worker` loads the product once, then forks a worker an order.

An order is a line of JSON: the settings, the lease, and the places at which the worker sends itself a signal, once it
has come by so many break points (`skip`), or for the so many-th time (`nth`, from 0). What ends is told in a line.
A worker is the product's own `take_mail_in` and `work`.
"""

import asyncio
import ctypes
import inspect
import json
import mmap
import os
import select
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import configure_mappers

import app.tables  # noqa: F401
from app import logs
from app.model.client import ModelClient, ModelTrouble, Request
from app.runs.breakpoints import NAMES, watch
from app.runs.claim import Lease, LeaseLost
from app.settings import Settings
from app.worker.hold import Worker
from app.worker.intake import take_mail_in
from app.worker.main import work

LARGEST_PID = 1 << 22  # of Linux; pages of it that nobody writes to take no memory
NEVER_AGAIN = 1 << 40
PR_SET_PDEATHSIG = 1  # prctl(2) of Linux
TICK = 0.02  # seconds between two looks for the dead


class Hits:
    """How often each place was reached, by all workers together; it outlives them."""

    def __init__(self) -> None:
        self._numbers = memoryview(mmap.mmap(-1, 8 * len(NAMES))).cast("q")
        self._struck = memoryview(mmap.mmap(-1, 8 * LARGEST_PID)).cast("q")
        self._fenced = memoryview(mmap.mmap(-1, 8 * LARGEST_PID)).cast("q")

    def add(self, name: str) -> None:
        """Once more. Two workers at once may count one for two: enough to know that a place was reached."""
        self._numbers[NAMES.index(name)] += 1

    def strike(self, name: str) -> None:
        """Here I was struck."""
        self._struck[os.getpid()] = 1 + NAMES.index(name)

    def where(self, pid: int) -> str:
        """Where that worker was struck; empty if it was not by its own hand."""
        place, self._struck[pid] = self._struck[pid], 0
        return NAMES[place - 1] if place else ""

    def fence(self) -> None:
        """I wanted to write, and the database said that the run is another's."""
        self._fenced[os.getpid()] += 1

    def fenced(self, pid: int) -> int:
        """How often that worker met the fence."""
        times, self._fenced[pid] = self._fenced[pid], 0
        return times

    def as_json(self) -> dict[str, int]:
        """Each name with its number."""
        return dict(zip(NAMES, self._numbers.tolist(), strict=True))


def serve() -> None:
    """Fork what is ordered and tell what ended, until the orders end; then kill what is left."""
    hits, alive = Hits(), set[int]()
    asyncio.run(_load())
    while True:
        if select.select([sys.stdin], [], [], TICK if alive else None)[0]:
            line = sys.stdin.readline()
            if not line:
                break
            pid = os.fork()
            if pid == 0:
                _be(json.loads(line), hits)
            alive.add(pid)
            _say({"started": pid})
        for pid in list(alive):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                alive.discard(pid)
                _say(
                    {
                        "ended": pid,
                        "code": os.waitstatus_to_exitcode(status),
                        "at": hits.where(pid),
                        "fenced": hits.fenced(pid),
                        "hits": hits.as_json(),
                    }
                )
    for pid in alive:
        os.kill(pid, signal.SIGKILL)


async def _load() -> None:
    """What is made at a first request or a first query is made before the first fork."""
    configure_mappers()
    model = ModelClient(Settings(anthropic_base_url="http://127.0.0.1:9"))
    with suppress(ModelTrouble):
        await model.ask(Request("nobody", 1, [], [], []))
    await model.close()


def _say(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


def _be(order: dict[str, Any], hits: Hits) -> None:
    """Be one worker, and never come back; nor outlive the process that tells of its end."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.close(0)
    code = 1
    try:
        logs.configure(readable=True)
        _prepare(order, hits)
        asyncio.run(_work(order))
        code = 0
    except BaseException:
        logs.logging.getLogger("app").exception("worker_ended")
    finally:
        os._exit(code)


def _prepare(order: dict[str, Any], hits: Hits) -> None:
    skip, nth = [order.get("skip", 0)], [order.get("nth", 0)]

    async def reached(name: str) -> None:
        hits.add(name)
        skip[0] -= 1
        if skip[0] < 0 and name in order.get("at", ()):
            nth[0] -= 1
            if nth[0] < 0:
                skip[0] = NEVER_AGAIN
                hits.strike(name)
                os.kill(os.getpid(), order.get("signal", signal.SIGKILL))

    step = inspect.unwrap(Lease.step).__code__

    def refused(self: LeaseLost, *arguments: object) -> None:
        if sys._getframe(1).f_code is step:  # by the token; a worker's own clock says the same of what it begins
            hits.fence()

    watch(reached)
    LeaseLost.__init__ = refused  # type: ignore[method-assign]  # counts; the product has no reason to
    if dies := order.get("dies"):
        setattr(Worker, dies, _die)


async def _die(self: Worker) -> None:
    await asyncio.sleep(0.5)
    raise RuntimeError("ordered by a test")


async def _work(order: dict[str, Any]) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    settings = Settings(**order["settings"])
    async with take_mail_in(settings):
        await work(settings, stop, lease=timedelta(seconds=order["lease"]))


def main(arguments: Sequence[str]) -> None:
    """Nothing to say on the command line: all is in the orders."""
    serve()


if __name__ == "__main__":
    main(sys.argv[1:])
