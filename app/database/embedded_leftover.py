"""Does a server of a former life still work on this cluster? It is stopped by its pid before a new one starts.

After `kill -9` of everything the postmaster may live on, or only its children may, or nothing but a stale
`postmaster.pid` and socket lock, whose number may now belong to a stranger (pids start anew in a container)
or to a zombie. PostgreSQL would refuse to start on the last; removing the file while a child lives would
corrupt the data. So: processes are found by what they work on, and the files go when there is none left.
"""

import os
import signal
import time
from pathlib import Path

from app.errors import BadConfiguration

PATIENCE = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 5.0))  # fast, immediate, at once
PROCESSES = Path("/proc")


def servers_on(cluster: Path) -> list[int]:
    """The pids of PostgreSQL's processes on this cluster: all of them stand in its folder."""
    found = []
    for process in PROCESSES.glob("[0-9]*"):
        try:
            if (process / "comm").read_text().strip() == "postgres" and (process / "cwd").samefile(cluster):
                found.append(int(process.name))
        except OSError:
            continue  # it ended meanwhile, or it is somebody else's
    return found


def postmaster_pid(cluster: Path) -> int | None:
    """The pid that the last server wrote down, if its file is still there."""
    try:
        return abs(int((cluster / "postmaster.pid").read_text().split("\n", 1)[0]))
    except (FileNotFoundError, ValueError):
        return None


def stop_leftovers(cluster: Path, socket: Path) -> None:
    """Stop what still works on this cluster, then take away the files that carry its pid."""
    if not PROCESSES.is_dir():
        return  # no /proc (macOS): PostgreSQL's own check of the pid file stands
    for number, patience in PATIENCE:
        _signal(_first(cluster), number)
        if _gone(cluster, patience):
            for stale in (cluster / "postmaster.pid", *socket.iterdir()):
                stale.unlink(missing_ok=True)
            return
    raise BadConfiguration(f"A former database server on {cluster} does not end; stop it, then start again.")


def _first(cluster: Path) -> list[int]:
    """The postmaster if it lives (it ends its children in good order), else all orphans."""
    alive = servers_on(cluster)
    parent = postmaster_pid(cluster)
    return [parent] if parent in alive and parent is not None else alive


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def _gone(cluster: Path, patience: float) -> bool:
    until = time.monotonic() + patience
    while servers_on(cluster):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
