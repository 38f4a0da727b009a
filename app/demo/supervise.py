"""How are the demo's processes started, watched and stopped? Each in a session of its own, so that Ctrl-C reaches
only the supervisor, which stops them in order.

A part that dies is started again: everything it was doing is in the database. One that dies again and again ends
the demo.
"""

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.errors import BadConfiguration

SECONDS_TO_START = 60.0
SECONDS_TO_STOP = 27.0  # a worker takes 25 at the most to bring an effect to its end (app/worker/main.py)
MOST_DEATHS = 5  # within a minute


class DemoEnded(Exception):
    """A part cannot be kept alive; its own words are on the screen."""


@dataclass(frozen=True)
class Part:
    """One process: a module with arguments, and the port at which it can be reached when it is ready."""

    name: str
    module: str
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    port: int | None = None
    host: str = "127.0.0.1"
    speaks: bool = False  # it writes lines for the supervisor


@dataclass
class _Running:
    part: Part
    process: Process
    deaths: list[float] = field(default_factory=list)


class Supervisor:
    """The parts that run, in the order in which they were started."""

    def __init__(self, say: Callable[[str], None], remember: Callable[[list[int]], None]) -> None:
        self._say = say
        self._remember = remember
        self._parts: dict[str, _Running] = {}
        self._pipe, self._held = os.pipe()  # children see the end of `_held`, which only we hold

    async def start(self, part: Part) -> Process:
        """Start a part and wait until it answers at its port."""
        running = self._parts[part.name] = _Running(part, await self._spawn(part))
        self._remember([each.process.pid for each in self._parts.values()])
        await self._until_ready(running)
        return running.process

    async def watch(self) -> None:
        """Start again what dies; raises DemoEnded where that does not help."""
        while True:
            waiting = {asyncio.create_task(each.process.wait()): each for each in self._parts.values()}
            done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in others:
                task.cancel()
            for task in done:
                await self._again(waiting[task])

    async def stop(self) -> None:
        """End all, last started first, each given time to finish what it does."""
        for running in reversed(list(self._parts.values())):
            await _end(running.process)
        os.close(self._held)
        os.close(self._pipe)

    async def _spawn(self, part: Part) -> Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "app.demo.child", str(self._pipe), part.module, *part.arguments),
            env={**os.environ, **part.environment},
            stdin=DEVNULL,
            stdout=PIPE if part.speaks else None,
            pass_fds=(self._pipe,),
            start_new_session=True,
        )

    async def _until_ready(self, running: _Running) -> None:
        until = time.monotonic() + SECONDS_TO_START
        while running.part.port is not None and not await _answers(running.part.host, running.part.port):
            if running.process.returncode is not None:
                raise DemoEnded(running.part.name)
            if time.monotonic() > until:
                raise BadConfiguration(f"The {running.part.name} did not start within {SECONDS_TO_START:.0f} seconds.")
            await asyncio.sleep(0.05)

    async def _again(self, running: _Running) -> None:
        now = time.monotonic()
        running.deaths = [moment for moment in running.deaths if now - moment < 60] + [now]
        if len(running.deaths) > MOST_DEATHS or running.part.speaks:
            raise DemoEnded(running.part.name)
        self._say(f"The {running.part.name} ended unexpectedly and is started again; nothing is lost.")
        running.process = await self._spawn(running.part)
        self._remember([each.process.pid for each in self._parts.values()])


async def _answers(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


async def _end(process: Process) -> None:
    """SIGTERM to the part, SIGKILL to its whole session if it does not listen."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), SECONDS_TO_STOP)
    except TimeoutError:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
