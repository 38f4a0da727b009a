"""How fast is Placet as a newcomer has it? Run `python -m tests.bench.bench_demo`; the last line is JSON.

On the demo itself, with its durable database and the practice model: start to first page (empty and again), pages'
p95 with 16 clients, CPU and SQL transactions of a run. Everything is bounded, and nothing leaves this machine.
"""

import asyncio
import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from uuid import uuid4

import aiosmtplib
import httpx2

from app.demo.people import CAMILLE_MAIL, NADIA
from tests.cli.demo import Demo

CLIENTS = 16
ROUNDS = 6  # of all pages, by each client
MAILS = 20
PATIENCE = 120.0
TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def started(data: Path) -> Iterator[tuple[Demo, float]]:
    """A demo, and the seconds from the command to its first page."""
    began = time.monotonic()
    demo = Demo(data)
    try:
        assert httpx2.get(demo.wait(), follow_redirects=True).status_code == 200
        yield demo, time.monotonic() - began
        demo.interrupt()
    finally:
        demo.kill_all()


async def sign_in(browser: httpx2.AsyncClient) -> None:
    """As Nadia, by the form."""
    token = re.search(r'name="csrf" value="([^"]+)"', (await browser.get("/sign-in")).text)
    assert token
    form = {"email": NADIA.email, "password": NADIA.password, "csrf": token[1]}
    done = await browser.post("/sign-in", data=form)
    assert done.status_code == 303, done.status_code


async def pages(browser: httpx2.AsyncClient) -> dict[str, str]:
    """One address of each kind, found by following the pages' own links."""
    found = {"inbox": "/inbox", "employees": "/employees", "journal": "/journal"}
    text = (await browser.get("/inbox")).text + (await browser.get("/employees")).text
    for name in ("requests", "employees", "conversations", "tasks"):
        if link := re.search(rf'href="(/{name}/[0-9a-f-]{{36}})', text):
            found[f"{name}/…"] = link[1]
            text += (await browser.get(link[1])).text
    return found


async def measure_pages(url: str) -> dict[str, dict[str, float]]:
    """Milliseconds of each page while 16 clients read all of them."""
    async with httpx2.AsyncClient(base_url=url, headers={"Origin": url}, timeout=30) as browser:
        await sign_in(browser)
        found = await pages(browser)
        taken: dict[str, list[float]] = {name: [] for name in found}

        async def read() -> None:
            for name, address in list(found.items()) * ROUNDS:
                began = time.monotonic()
                answer = await browser.get(address)
                assert answer.status_code == 200, (address, answer.status_code)
                taken[name].append((time.monotonic() - began) * 1000)

        await asyncio.gather(*[read() for _ in range(CLIENTS)])
    return {name: {"p50": quantile(times, 50), "p95": quantile(times, 95)} for name, times in taken.items()}


def quantile(values: list[float], percent: int) -> float:
    return round(statistics.quantiles(values, n=100)[percent - 1], 1)


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def worker_of(demo: Demo) -> int:
    ended = b"app.cli.main\0worker\0"
    (worker,) = [pid for pid in demo.pids() if Path(f"/proc/{pid}/cmdline").read_bytes().endswith(ended)]
    return worker


def figure(demo: Demo, question: str) -> int:
    with demo.database() as connection:
        row = connection.execute(question.encode()).fetchone()
        return int(str(row[0])) if row else 0


def transactions(demo: Demo) -> int:
    return figure(demo, "SELECT xact_commit FROM pg_stat_database WHERE datname = 'placet'")


def at_rest(demo: Demo, runs: int) -> bool:
    """Every run waits for a person or has ended."""
    return figure(demo, "SELECT count(*) FROM runs WHERE status NOT IN ('queued', 'running')") >= runs


async def send_mails(port: int) -> None:
    """New customers' mails, of people whom the shop does not know."""
    async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port, use_tls=False, start_tls=False) as sender:
        for number in range(MAILS):
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Subject"] = f"c{number}@example.net", CAMILLE_MAIL, "Tea cups"
            mail["Message-ID"] = f"<{uuid4()}@example.net>"
            mail.set_content("Hello, do you have blue tea cups, and what do they cost?\n")
            await sender.send_message(mail)


def measure_runs(demo: Demo) -> dict[str, float]:
    """What a run costs from its mail to its question: the worker's CPU, and transactions of the whole database."""
    port, worker = re.search(r"127\.0\.0\.1 port (\d+)", demo.text), worker_of(demo)
    assert port
    before = figure(demo, "SELECT count(*) FROM runs")
    until = time.monotonic() + PATIENCE
    while not at_rest(demo, before):
        assert time.monotonic() < until, demo.text
        time.sleep(0.2)
    cpu, commits, began = cpu_of(worker), transactions(demo), time.monotonic()
    asyncio.run(send_mails(int(port[1])))
    asked = 0
    while not at_rest(demo, before + MAILS):
        assert time.monotonic() < until, demo.text
        time.sleep(0.2)
        asked += 1
    seconds = time.monotonic() - began
    time.sleep(1.5)  # PostgreSQL publishes its counts once a second
    return {
        "runs": MAILS,
        "cpu_ms_per_run": round((cpu_of(worker) - cpu) * 1000 / MAILS, 1),
        "transactions_per_run": round((transactions(demo) - commits - asked) / MAILS, 1),
        "calls_per_run": round(
            figure(demo, "SELECT count(*) FROM calls") / figure(demo, "SELECT count(*) FROM runs"), 1
        ),
        "seconds": round(seconds, 1),
    }


def main() -> None:
    """All figures; the folder is thrown away."""
    with tempfile.TemporaryDirectory(prefix="placet-bench-") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL's own user passes through
        with started(Path(folder) / "data") as (_, first):
            pass
        with started(Path(folder) / "data") as (demo, again):
            runs = measure_runs(demo)
            figures = asyncio.run(measure_pages(demo.wait()))
    for name, times in figures.items():
        print(f"{name:<18} p50 {times['p50']:>8} ms   p95 {times['p95']:>8} ms")
    print(json.dumps({"first_page_s": round(first, 1), "again_s": round(again, 1), "runs": runs, "pages": figures}))


if __name__ == "__main__":
    main()
