"""How does a test run the demo as a person does? From the command line, in a folder of its own, with Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psycopg

from app.database.embedded_leftover import servers_on

PATIENCE = 120.0


class Demo:
    """A running `placet demo`; what it says is in `said`."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.said: list[str] = []
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC", "PLACET_"))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli.main", "demo"],
            env={**clean, "PLACET_DATA": str(data), "PORT": "0", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._open = threading.Event()
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            if "Stop: Ctrl-C" in line:
                self._open.set()
        self._open.set()

    @property
    def text(self) -> str:
        """All that it said so far."""
        return "\n".join(self.said)

    def wait(self) -> str:
        """The address of the pages, once the demo says it."""
        assert self._open.wait(PATIENCE), self.text
        found = re.search(r"Open (http://\S+)", self.text)
        assert found, self.text
        return found[1]

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        self._reader.join(10)
        return code

    def pids(self) -> list[int]:
        """Every process that belongs to it, PostgreSQL included."""
        marked = f"PLACET_DATA={self.data}\0".encode()
        found = [int(each.name) for each in Path("/proc").glob("[0-9]*") if marked in _environment(each)]
        return found + servers_on(self.data / "cluster")

    def database(self) -> psycopg.Connection[tuple[object, ...]]:
        """Its own database, as the superuser, who sees every company."""
        password = json.loads((self.data / "passwords.json").read_text())["postgres"]
        where = {"host": str(self.data / "socket"), "user": "postgres", "password": password, "dbname": "placet"}
        return psycopg.connect(**where, autocommit=True)

    def kill_all(self) -> None:
        """`kill -9` of everything at once, as a power cut."""
        for pid in self.pids():
            with suppress(ProcessLookupError):  # one that ended by itself in between
                os.kill(pid, signal.SIGKILL)
        self.process.wait(10)
        self.gone()

    def gone(self, within: float = 15.0) -> bool:
        """Whether nothing is left, after some time at the most."""
        until = time.monotonic() + within
        while self.pids():
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True


def _environment(process: Path) -> bytes:
    try:
        return (process / "environ").read_bytes() + b"\0"
    except OSError:
        return b""
