"""How does a web process serve until it is told to stop? Event streams are cut first: they would hold it up."""

import asyncio
from types import FrameType

import uvicorn

from app.database.at_start import require_ready
from app.database.engine import DatabaseRole
from app.listen import listen
from app.settings import Settings
from app.web.application import create_app
from app.web.live import Live

SECONDS_TO_FINISH = 4  # for answers that are under way


class Server(uvicorn.Server):
    """Uvicorn, that ends the event streams as soon as it is told to stop. Browsers come again by themselves."""

    def __init__(self, config: uvicorn.Config, live: Live) -> None:
        super().__init__(config)
        self._live = live
        self._loop = asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM or Ctrl-C."""
        super().handle_exit(sig, frame)
        self._loop.call_soon_threadsafe(self._live.cut_all)


async def serve(settings: Settings) -> None:
    """Serve the pages until SIGTERM or Ctrl-C. Raises BadConfiguration for a taken port or an unfit database."""
    require_ready(settings.database_url, settings.app_secret, DatabaseRole.WEB)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,  # app/logs.py decides what is written
        access_log=False,  # ours has no addresses and no queries (app/web/application.py)
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    await Server(config, app.state.house.live).serve(sockets=[listen(settings.host, settings.port)])
