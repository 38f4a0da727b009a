"""Does the README's first command work as a new user types it? Starts it in an empty home, opens the page, Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

PATIENCE = 900  # seconds: on a fresh machine every package is downloaded first


def main(command: str) -> int:
    """Exit code 0 if the page opened and everything ended within seconds of Ctrl-C."""
    with tempfile.TemporaryDirectory(prefix="placet-ci-") as home:
        Path(home).chmod(0o755)
        environment = {**os.environ, "HOME": home, "PORT": "0"}
        demo = subprocess.Popen(  # noqa: S603  # the README's own command
            ["bash", "-c", command],  # noqa: S607
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        watchdog = threading.Timer(PATIENCE, os.killpg, (demo.pid, signal.SIGKILL))
        watchdog.start()
        try:
            opened = _open_first_page(demo)
            os.killpg(demo.pid, signal.SIGINT)  # as a terminal does on Ctrl-C
            ended = _ends(demo)
        finally:
            watchdog.cancel()
            if demo.poll() is None:
                os.killpg(demo.pid, signal.SIGKILL)
        return 0 if opened and ended else 1


def _open_first_page(demo: subprocess.Popen[str]) -> bool:
    assert demo.stdout is not None
    for line in demo.stdout:
        print("  |", line, end="", flush=True)
        if found := re.search(r"Open (http://\S+)", line):
            with urllib.request.urlopen(found[1], timeout=10) as answer:  # noqa: S310  # http only
                print(f"first page: {answer.status} {answer.url}")
                return bool(answer.status == 200)
    print("the demo ended without saying its address")
    return False


def _ends(demo: subprocess.Popen[str]) -> bool:
    try:
        rest, _ = demo.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        print("the demo did not end within 30 seconds of Ctrl-C")
        return False
    print(rest, f"exit code {demo.returncode}", sep="")
    return demo.returncode in (0, 130)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
