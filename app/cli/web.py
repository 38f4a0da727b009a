"""`placet web`: how do the pages reach people?"""

import asyncio
import signal

from app.cli.production import configured


def web() -> None:
    """Serve the pages, at HOST and PORT. Any number of these may run on one database."""
    # Imported here, as in each command: `placet --help` need not load what only one of them runs.
    from app.web.serve import serve

    settings = configured()
    # uvicorn ends in good order on a signal and then raises it again, which would look like a crash.
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        asyncio.run(serve(settings))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
