"""`placet web`: how do the pages reach people?"""

import asyncio
import signal

from app.cli.production import configured

SECONDS_TO_FINISH = 4  # for answers that are under way; after that streams of live pages are cut


def web() -> None:
    """Serve the pages, at HOST and PORT. Any number of these may run on one database."""
    # Imported here, as in each command: `placet --help` need not load what only one of them runs.
    import uvicorn

    from app.database.at_start import require_ready
    from app.database.engine import DatabaseRole
    from app.listen import listen
    from app.web.application import create_app

    settings = configured()
    require_ready(settings.database_url, settings.app_secret, DatabaseRole.WEB)
    listening = listen(settings.host, settings.port)
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,  # app/logs.py decides what is written
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn ends in good order on a signal and then raises it again, which would look like a crash.
        signal.signal(number, lambda *_: None)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
