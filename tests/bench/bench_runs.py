"""What does a task cost? CPU and SQL transactions per run, and runs per second with 16 at a time.

`python -m tests.bench.bench_runs [runs]`: real PostgreSQL (without fsync), shop, mail server and practice model; one
worker in this process. A run is the demo's: a mail is read, its order looked up, a draft kept, a reply and a refund
asked for, agreed to and done. The CPU of the others' servers, which share this process, is counted with ours.
"""

import asyncio
import resource
import sys
import tempfile
import time
from pathlib import Path

import psycopg

import app.tables  # noqa: F401
from app import logs
from app.conversations.arrive import arrive
from app.database.embedded import EmbeddedPostgres
from app.database.engine import DatabaseRole, role_url
from app.database.migrate import migrate
from app.database.transaction import Database
from app.runs.states import RunStatus
from app.settings import Settings
from app.worker.main import work
from tests.conftest import SECRET
from tests.faults.scene import Scene, letter, open_scene
from tests.faults.zygote import open_zygote

AT_A_TIME = 16


async def bench(scene: Scene, worker: Database, url: str, runs: int) -> None:
    """Let so many mails arrive, then work them off, and print the figures."""
    for number in range(1, runs + 1):
        customer, order = f"customer{number}@bench.example", f"MC-{5000 + number}"
        scene.customers[customer] = order
        scene.around.add_order(order, customer)
        await arrive(worker, letter(customer, scene.address, order, complaint=True).as_bytes(), to=scene.address)
    settings = scene.settings.model_copy(update={"worker_runs": AT_A_TIME, "placet_mail_in": ""})
    scene.noes, stop = 0, asyncio.Event()
    transactions, cpu, began = counted(url), time.process_time(), time.monotonic()
    working = asyncio.create_task(work(settings, stop))
    await scene.at_rest(600)
    seconds, cpu = time.monotonic() - began, time.process_time() - cpu
    transactions = counted(url) - transactions
    stop.set()
    await working
    done = [run for run in await scene.runs() if run.status is RunStatus.DONE]
    requests, bad = await scene.around.bad_requests()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(done)} of {runs} runs done, {AT_A_TIME} at a time, in {seconds:.1f} s: {runs / seconds:.1f} runs/s")
    print(f"per run: {cpu / runs * 1000:.0f} ms of CPU, {transactions / runs:.0f} SQL transactions,")
    print(f"         {requests / runs:.1f} requests to the model ({bad} invalid); memory at most {memory:.0f} MB")


def counted(url: str) -> int:
    """How many transactions PostgreSQL has committed."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("SELECT pg_stat_force_next_flush()")
        time.sleep(1.5)  # sessions report when they are idle, once a second
        found = connection.execute(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    return int(found[0]) if found else 0


async def main(url: str, folder: Path, runs: int) -> None:
    """Open the world, measure, close it."""
    settings = Settings(database_url=url, app_secret=SECRET)
    roles = (DatabaseRole.WEB, DatabaseRole.OWNER, DatabaseRole.WORKER)
    web, owner, worker = (Database(role_url(url, role, SECRET), SECRET) for role in roles)
    async with open_zygote(folder / "log") as zygote, open_scene(zygote, settings, (web, owner), folder, 1) as scene:
        await bench(scene, worker, url, runs)
    for database in (web, owner, worker):
        await database.close()


if __name__ == "__main__":
    logs.configure(readable=True)
    with tempfile.TemporaryDirectory(prefix="placet-bench-") as name:
        place = Path(name)
        place.chmod(0o711)  # as root the server runs as somebody else, who must pass through
        server = EmbeddedPostgres(place / "data")
        try:
            address = server.start(fsync=False).url_owner
            migrate(address, SECRET)
            asyncio.run(main(address, place, int(sys.argv[1]) if len(sys.argv) > 1 else 48))
        finally:
            server.stop()
