"""The demo, as a newcomer runs it: it starts with one command, keeps its data, and leaves nothing behind."""

import os
import re
import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from app.demo.people import PEOPLE
from tests.cli.demo import Demo


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    """A folder that PostgreSQL's own user can reach; tmp_path is 0700."""
    with tempfile.TemporaryDirectory(prefix="placet-demo-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder) / "data"


@pytest.fixture(scope="module")
def demo(data: Path) -> Iterator[Demo]:
    """The first start of all."""
    running = Demo(data)
    running.wait()
    yield running
    running.kill_all()


def mails(demo: Demo) -> int:
    """How many mails of customers it has kept."""
    with demo.database() as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM mails").fetchall()
        return int(str(count))


def test_it_prints_address_people_and_what_to_do_first(demo: Demo) -> None:
    for person in PEOPLE:
        assert re.search(rf"{person.name}.*{re.escape(person.email)}\s+{re.escape(person.password)}", demo.text)
    assert "What to do first" in demo.text and "A practice model answers" in demo.text
    assert "Traceback" not in demo.text


def test_its_first_page_opens(demo: Demo) -> None:
    with httpx2.Client(follow_redirects=True) as browser:
        assert browser.get(demo.wait()).status_code == 200


def test_the_secret_is_its_owners_alone(demo: Demo) -> None:
    secret = demo.data / "demo" / "app-secret"
    assert secret.stat().st_mode & 0o777 == 0o600 and (demo.data / "demo").stat().st_mode & 0o777 == 0o700
    assert len(secret.read_text()) >= 32 and secret.read_text() not in demo.text


def test_a_second_one_on_the_same_data_is_refused_in_one_line(demo: Demo) -> None:
    second = Demo(demo.data)
    assert second.process.wait(30) == 2
    second._reader.join(5)
    assert second.said == [f"placet: The demo is already running with the data in {demo.data}."]


@pytest.mark.thorough
def test_a_part_that_dies_is_started_again(demo: Demo) -> None:
    (worker,) = [pid for pid in demo.pids() if runs(pid, "worker")]
    os.kill(worker, signal.SIGKILL)
    until = time.monotonic() + 30
    while not [pid for pid in demo.pids() if runs(pid, "worker") and pid != worker]:
        assert time.monotonic() < until, demo.text
        time.sleep(0.1)
    assert "The worker ended unexpectedly and is started again" in demo.text


@pytest.mark.thorough
def test_ctrl_c_ends_all_of_it_within_seconds_and_the_next_start_goes_on(demo: Demo) -> None:
    before = time.monotonic()
    assert demo.interrupt() == 0
    assert demo.gone(1.0) and time.monotonic() - before < 20
    assert demo.said[-1] == "Placet has stopped."

    again = Demo(demo.data)
    again.wait()
    assert "Setting up" not in again.text
    again.kill_all()

    third = Demo(demo.data)
    third.wait()
    assert mails(third) == 3
    third.process.kill()  # -9 of the supervisor alone: its parts see it go
    third.process.wait()
    assert third.gone()


def test_a_taken_port_ends_it_in_one_line(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        demo = Demo(data.with_name("other"), PORT=str(port))
        assert demo.process.wait(30) == 2
        demo._reader.join(5)
    assert demo.said == [f"placet: Port {port} is taken by another program. Choose another: PORT={port + 1}"]


def runs(pid: int, command: str) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").endswith(b"\0" + command.encode())
    except OSError:
        return False
