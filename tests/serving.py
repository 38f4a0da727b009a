"""How does a test get a web server: the product, the demo's shop, a service of others?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp

from app.demo.serving import listen

LEAVING: set[asyncio.Task[None]] = set()  # servers on their way out


class Server(uvicorn.Server):
    """Hears at once that it is to end, where uvicorn looks ten times a second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.told = asyncio.Event()

    async def main_loop(self) -> None:
        """Until it is told."""
        await self.on_tick(0)
        await self.told.wait()


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[str]:
    """The address at which `app` answers; afterwards it leaves, and nobody waits for that."""
    sock = listen(0)
    server = Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1))
    task = asyncio.create_task(server.serve(sockets=[sock]))
    while not server.started:
        await asyncio.sleep(0)
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    finally:
        server.told.set()
        LEAVING.add(task)
        task.add_done_callback(LEAVING.discard)
