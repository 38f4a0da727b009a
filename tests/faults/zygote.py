"""How does a test start workers, and how does it hear of their end?"""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.settings import Settings

LEASE = 1  # seconds; several beats fit in, and a takeover does not take the product's 15


@dataclass
class Doomed:
    """One worker process."""

    pid: int
    end: asyncio.Future[int]
    at: str = ""  # where it struck itself
    fenced: int = 0  # how often the token alone refused it a step

    def send(self, number: signal.Signals) -> None:
        """A signal, unless it ended."""
        if not self.end.done():
            with suppress(ProcessLookupError):  # it ended, and its end is not told yet
                os.kill(self.pid, number)

    async def ended(self, seconds: float) -> int | None:
        """Its exit code (minus the signal that killed it), or None if it still lives then."""
        done, _ = await asyncio.wait({self.end}, timeout=seconds)
        return self.end.result() if done else None


class Zygote:
    """The process that forks workers (tests/faults/worker.py)."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._started: asyncio.Queue[Doomed] = asyncio.Queue()
        self._alive: dict[int, Doomed] = {}
        self.hits: Counter[str] = Counter()
        self.over = asyncio.create_task(self.listen())

    async def start(self, settings: Settings, *, lease: int = LEASE, **order: Any) -> Doomed:
        """A fresh worker. `at`, `skip`, `nth`, `signal`: what it sends itself where; `dies`: which part of it dies."""
        given = settings.model_dump(mode="json", exclude_none=True)
        line = json.dumps({"settings": given, "lease": lease, **order})
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        started = asyncio.create_task(self._started.get())
        await asyncio.wait({started, self.over}, timeout=60, return_when=asyncio.FIRST_COMPLETED)
        if not started.done():
            started.cancel()
            raise RuntimeError("the process that forks workers has ended, or does not answer")
        return started.result()

    async def listen(self) -> None:
        """Read what the process tells, until it ends."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            match json.loads(line):
                case {"started": int(pid)}:
                    self._alive[pid] = Doomed(pid, asyncio.get_running_loop().create_future())
                    self._started.put_nowait(self._alive[pid])
                case {"ended": int(pid), "code": int(code), "at": str(at), "fenced": int(fenced), "hits": dict(hits)}:
                    self.hits = Counter(hits)
                    doomed = self._alive.pop(pid)
                    doomed.at, doomed.fenced = at, fenced
                    doomed.end.set_result(code)


@asynccontextmanager
async def open_zygote(log: Path) -> AsyncIterator[Zygote]:
    """Start it; at the end whatever it forked is killed. The workers' own words go to `log`."""
    with log.open("ab") as words:
        command = (sys.executable, "-m", "tests.faults.worker")
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=words)
    zygote = Zygote(process)
    yield zygote
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), 10)
    except TimeoutError:
        process.kill()
    await zygote.over
