"""How does a test get a web server: the product, the demo's shop, a service of others?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp

from app.demo.serving import listen


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[str]:
    """The address at which `app` answers."""
    sock = listen(0)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1))
    task = asyncio.create_task(server.serve(sockets=[sock]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
