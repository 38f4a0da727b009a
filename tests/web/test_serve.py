"""The web process itself: it stops at once when told to, also with pages open."""

import asyncio
import os
import signal
import sys

import httpx2
import pytest

from app.errors import BadConfiguration
from app.listen import listen
from app.web.serve import serve
from tests.people import open_browser

PROGRAM = "import asyncio, signal; from app.settings import Settings; from app.web.serve import serve; " + (
    "signal.signal(signal.SIGTERM, lambda *_: None); asyncio.run(serve(Settings()))"
)


async def test_it_ends_at_once_with_an_event_stream_open(settings, web, nadia):
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    wanted = {"DATABASE_URL": settings.database_url, "APP_SECRET": settings.app_secret, "PORT": str(port)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, env={**os.environ, **wanted}, stderr=asyncio.subprocess.PIPE
    )
    url = f"http://127.0.0.1:{port}"
    async with open_browser(url, web, nadia) as browser:
        await _answers(browser)
        async with browser.stream("GET", "/live") as stream:
            lines = stream.aiter_lines()
            await anext(lines)
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(60):
                _, complaints = await process.communicate()
    assert b"graceful shutdown exceeded" not in complaints  # it waited for nobody


async def test_a_port_that_is_taken_is_one_line(settings):
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadConfiguration, match=f"Port {port} is taken"):
            await serve(settings.model_copy(update={"port": port}))


async def _answers(browser: httpx2.AsyncClient) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                assert (await browser.get("/healthz")).status_code == 200
                return
            except httpx2.ConnectError:
                await asyncio.sleep(0.1)
