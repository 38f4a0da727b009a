"""How does `placet demo` start and stop everything? The order of the steps; each says so if it takes long."""

import asyncio
import json
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime

from app.budget.prices import price_of
from app.demo import parts
from app.demo.deliver import deliver_first_mails
from app.demo.parts import Demo
from app.demo.place import Place
from app.demo.ports import choose_ports
from app.demo.supervise import DemoEnded, Supervisor
from app.demo.welcome import welcome
from app.errors import BadConfiguration
from app.model.key import refuse_wrong_key
from app.settings import Settings, require_secret

SECONDS_IN_SILENCE = 1.5
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(settings: Settings) -> int:
    """Run the demo until Ctrl-C. The exit code: 0 after a stop that was asked for."""
    if settings.app_secret:
        require_secret(settings)
    place = Place(settings.placet_data.absolute())
    place.take(say)  # held until this process ends
    demo = Demo(settings, place, choose_ports(settings.host, settings.port), settings.app_secret or place.secret())
    return asyncio.run(_run(demo))


async def _run(demo: Demo) -> int:
    """Start, and wait for whichever comes first: Ctrl-C, or a part that cannot be kept alive."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in STOPS:
        loop.add_signal_handler(number, stop.set)
    supervisor = Supervisor(say, demo.place.remember)
    work = asyncio.create_task(_work(demo, supervisor))
    asked = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({work, asked}, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            await work  # raises what ended it
        return 0
    except DemoEnded as ended:
        raise BadConfiguration(f"The {ended} does not run; its own words are above.") from None
    finally:
        work.cancel()
        async with told("Stopping; what an employee is doing is brought to an end first."):
            await asyncio.gather(work, return_exceptions=True)
            await supervisor.stop()
        if asked.done():
            say("Placet has stopped.")


async def _work(demo: Demo, supervisor: Supervisor) -> None:
    """Bring everything up, say hello, then keep it alive."""
    if not demo.practice:
        price_of(demo.settings)
    async with told("Asking the model's provider whether the key is accepted."):
        await refuse_wrong_key(demo.settings)
    async with told("Starting the database, the shop, the mailbox and the model."):
        around = asyncio.gather(*[supervisor.start(part) for part in parts.surroundings(demo)])
        # The code of what comes next is loaded meanwhile: on a small machine that takes a second.
        database_url, _, _ = await asyncio.gather(_database(demo, supervisor), asyncio.to_thread(_load), around)
    async with told("Preparing the tables and the demo company."):
        opened = await _prepare(database_url, demo.app_secret)
    async with told("Starting the pages and the worker."):
        await asyncio.gather(*[supervisor.start(part) for part in parts.placet(demo, database_url)])
    async with told("Delivering the first three mails."):
        await deliver_first_mails(demo.ports.mail_in, written_at=opened)
    say(welcome(demo))
    await supervisor.watch()


def _load() -> None:
    import app.demo.seed  # noqa: F401


async def _prepare(database_url: str, app_secret: str) -> datetime:
    from app.demo.seed import prepare
    from app.demo.words import language_of_this_machine

    return await prepare(database_url, app_secret, language_of_this_machine())


async def _database(demo: Demo, supervisor: Supervisor) -> str:
    """The address of PostgreSQL: the one that was named, or the embedded one once it is there."""
    return demo.settings.database_url or await _listen_to(await supervisor.start(parts.database(demo)))


async def _listen_to(process: Process) -> str:
    assert process.stdout is not None  # the part speaks
    async for line in process.stdout:
        match json.loads(line):
            case {"say": str(sentence)}:
                say(sentence)
            case {"refused": str(why)}:
                raise BadConfiguration(why)
            case {"url": str(url)}:
                return url
    raise DemoEnded("database")


@asynccontextmanager
async def told(sentence: str) -> AsyncIterator[None]:
    """Say what takes so long, but only if it does."""

    async def later() -> None:
        await asyncio.sleep(SECONDS_IN_SILENCE)
        say(sentence)

    telling = asyncio.create_task(later())
    try:
        yield
    finally:
        telling.cancel()


def say(sentence: str) -> None:
    """One line for the person who started the demo, who may have closed the window."""
    with suppress(OSError):
        print(sentence, flush=True)
