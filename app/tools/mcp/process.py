"""How is a program of this machine started, spoken with line by line, and ended for certain?

Not by the SDK's own stdio client: it keeps a line without end in memory, hands on HOME, PATH and more, leaves alone
what a program that ended by itself had forked, logs what it cannot read, and a task that is cancelled can leave the
program running. Here the first process stays unreaped until its whole group was killed, so that the group's number can
be nobody else's by then. (A child that leaves the group is not found again; its pipes are closed all the same.) What
goes to standard error is thrown away: it is somebody else's words, and a full pipe would stop the program.
"""

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import Final

from app.tools.mcp.programs import Program

GOODBYE_SECONDS: Final = 1.0  # for it to end by itself once nobody speaks to it any more
GONE_SECONDS: Final = 2.0  # until the system has taken away what was killed
LOOK_SECONDS: Final = 0.005
PATH: Final = "/usr/local/bin:/usr/bin:/bin"


class NotStarted(OSError):
    """The program cannot be started on this machine."""


@dataclass
class Running:
    """A program that runs. After each of our questions it may say `most` bytes; more ends the conversation."""

    process: Popen[bytes]
    ear: asyncio.ReadTransport
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    most: int
    left: int = 0

    async def line(self) -> bytes:
        """The next line that it says. Raises EOFError when it says no more, or too much."""
        try:
            line = await self.reader.readuntil(b"\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            raise EOFError from None
        self.left -= len(line)
        if self.left < 0:
            raise EOFError
        return line

    async def say(self, line: bytes, *, asks: bool) -> None:
        """Hand it a line. Raises OSError where it no longer listens."""
        if asks:  # only a question of ours gives it room for an answer
            self.left = self.most
        self.writer.write(line + b"\n")
        await self.writer.drain()


@asynccontextmanager
async def started(program: Program, key: str, *, most: int) -> AsyncIterator[Running]:
    """Start it, and leave nothing of it behind: no process, no file. Raises NotStarted."""
    folder = tempfile.mkdtemp(prefix="placet-")
    try:
        process = _start(program, key, folder)
        try:
            running = await _connected(process, most)
            try:
                yield running
                await _goodbye(running)
            finally:
                _hang_up(running)
        finally:
            await _end(process)
    finally:
        try:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        finally:  # where even that was cancelled before it began
            shutil.rmtree(folder, ignore_errors=True)


def _start(program: Program, key: str, folder: str) -> Popen[bytes]:
    around = {"PATH": PATH, "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"}  # and nothing of ours
    if key and program.key_as:
        around[program.key_as] = key
    try:
        return Popen(  # noqa: S603 - the operator wrote every word of it (programs.py)
            program.command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=around,
            cwd=folder,
            close_fds=True,
            start_new_session=True,
            umask=0o077,
        )
    except (OSError, ValueError):  # a key with a sign that no variable can hold is a ValueError
        raise NotStarted from None


async def _connected(process: Popen[bytes], most: int) -> Running:
    assert process.stdin is not None and process.stdout is not None
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=most)
    ear, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), process.stdout)
    way, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), process.stdin
    )
    return Running(process, ear, reader, asyncio.StreamWriter(way, protocol, None, loop), most)


async def _goodbye(running: Running) -> None:
    """Close its ear, and give it a moment to put away what it holds."""
    running.writer.close()
    await _until(lambda: _has_ended(running.process.pid), GOODBYE_SECONDS)


def _hang_up(running: Running) -> None:
    mouth = running.writer.transport
    if not mouth.is_closing() or mouth.get_write_buffer_size():  # what it has not read by now it never will
        mouth.abort()
    running.ear.close()


async def _until(done: Callable[[], bool], seconds: float) -> None:
    for _ in range(round(seconds / LOOK_SECONDS)):
        if done():
            return
        await asyncio.sleep(LOOK_SECONDS)


def _has_ended(pid: int) -> bool:
    """Looked at, not reaped."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


async def _end(process: Popen[bytes]) -> None:
    """Kill all of its group at once, before anything can be cancelled; then reap it."""
    with suppress(OSError):  # nobody is left in it
        os.killpg(process.pid, signal.SIGKILL)
    try:
        await _until(lambda: process.poll() is not None, GONE_SECONDS)
    finally:
        with suppress(TimeoutExpired):  # cancelled once more meanwhile: a killed process is gone in no time
            process.wait(0.5)
