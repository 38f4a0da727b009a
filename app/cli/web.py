"""`placet web`: how do the pages reach people?"""

import asyncio

from app.cli.production import configured
from app.settings import Settings

SECONDS_TO_FINISH = 10  # for answers that are under way; event streams are cut


def web() -> None:
    """Serve the pages, at HOST and PORT. Any number of these may run on one database."""
    asyncio.run(_serve(configured()))


async def _serve(settings: Settings) -> None:
    """Until SIGTERM or Ctrl-C."""
    # Imported here, as in each command: `placet --help` need not load what only one of them runs.
    import uvicorn

    from app.database.at_start import require_ready
    from app.database.engine import DatabaseRole
    from app.listen import listen
    from app.web.application import create_app

    require_ready(settings.database_url, settings.app_secret, DatabaseRole.WEB)
    listening = listen(settings.host, settings.port)
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,  # app/logs.py decides what is written
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    await uvicorn.Server(config).serve(sockets=[listening])
