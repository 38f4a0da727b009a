"""Where does the demo keep its things, and is another demo using them? One folder, one lock, one secret."""

import fcntl
import json
import os
import secrets
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.errors import BadConfiguration

PATIENCE = 15.0  # seconds: longer than app/demo/child.py takes to end by itself
OURS = b"app.demo.child"


@dataclass(frozen=True)
class Place:
    """The data folder. What only we read is in `private`; the database keeps its own folders beside it."""

    data: Path

    @property
    def private(self) -> Path:
        """A folder that nobody else enters."""
        return self.data / "demo"

    @property
    def _parts(self) -> Path:
        return self.private / "processes.json"

    def take(self, say: Callable[[str], None]) -> int:
        """Lock the folder until this process ends, after what a killed demo left behind has ended too."""
        try:
            self.data.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
            self.private.mkdir(mode=0o700, exist_ok=True)
            lock = os.open(self.private / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadConfiguration(f"Cannot write in {self.data}: {error.strerror}. Choose PLACET_DATA.") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise BadConfiguration(f"The demo is already running with the data in {self.data}.") from None
        self._end_leftovers(say)
        return lock

    def secret(self) -> str:
        """The demo's APP_SECRET: random, made at the first start, readable by its owner only."""
        file = self.private / "app-secret"
        if not file.exists():
            half = file.with_suffix(".half")
            half.unlink(missing_ok=True)
            with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as writer:
                writer.write(secrets.token_urlsafe(48))
                writer.flush()
                os.fsync(writer.fileno())
            half.rename(file)
        return file.read_text().strip()

    def remember(self, pids: list[int]) -> None:
        """Write down which processes are ours, for the start after a `kill -9`."""
        half = self._parts.with_suffix(".half")
        half.write_text(json.dumps(pids))
        half.rename(self._parts)

    def _end_leftovers(self, say: Callable[[str], None]) -> None:
        """Processes of a killed demo end by themselves; who is stuck is killed."""
        until = time.monotonic() + PATIENCE
        if any(_is_part(pid) for pid in self._remembered()):
            say("Parts of an earlier start are still ending; they get a few seconds.")
        while left := [pid for pid in self._remembered() if _is_part(pid)]:
            if time.monotonic() > until:
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
                return
            time.sleep(0.05)

    def _remembered(self) -> list[int]:
        try:
            return [int(pid) for pid in json.loads(self._parts.read_text())]
        except (FileNotFoundError, ValueError, TypeError):
            return []


def _is_part(pid: int) -> bool:
    """A number may belong to a stranger by now; a part of the demo says so in its command line."""
    try:
        return OURS in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
