"""Programs of this machine that are services: how tests allow them, and what is left of them."""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.tools.going_out import Guard
from app.tools.http import Http
from app.tools.mcp.client import Place
from app.tools.mcp.programs import Program

HERE = Path(__file__).parent
PLACE = Place("local:notes", "the key of the notes")


@dataclass
class Allowed:
    """A program that the operator allows, and the file in which it writes what it did."""

    command: tuple[str, ...]
    note: Path

    @property
    def http(self) -> Http:
        """A way out from which it can be started."""
        return Http(Guard(), programs={"notes": Program(self.command, "NOTES_API_KEY")})

    @property
    def setting(self) -> str:
        """The same as the operator writes it."""
        return json.dumps({"notes": {"command": self.command, "key_as": "NOTES_API_KEY"}})

    @property
    def noted(self) -> list[Any]:
        """What it did."""
        return [json.loads(line) for line in self.note.read_text().splitlines()] if self.note.exists() else []

    @property
    def processes(self) -> list[int]:
        """Its own number, and its child's."""
        return [one for one in self.noted if isinstance(one, int)]


def honest(folder: Path) -> Allowed:
    """The one that is written with the SDK."""
    return _allowed("local_server.py", folder)


def rude(manner: str, folder: Path) -> Allowed:
    """One that misbehaves."""
    return _allowed("rude_program.py", folder, manner)


def _allowed(file: str, folder: Path, *arguments: str) -> Allowed:
    note = folder / "note"
    return Allowed((sys.executable, str(HERE / file), *arguments, str(note)), note)


def gone(number: int) -> bool:
    """Is there no such process, not even what is left of one that we did not reap?"""
    return _state(number) is None


def killed(number: int) -> bool:
    """Does this child of a child run no more? Reaping it is for the system, which may take its time."""
    until = time.monotonic() + 2
    while (state := _state(number)) not in (None, "Z") and time.monotonic() < until:
        time.sleep(0.01)
    return state in (None, "Z")


def _state(number: int) -> str | None:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None
