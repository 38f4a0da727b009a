"""Where does a person in front of Chromium come from? A browser for the whole run, a window for each of them.

Whatever a page complains about in the console (a script that was blocked, an error) fails the test that saw it.
"""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from app.database.transaction import Database
from app.identity.sessions import open_session
from app.settings import Settings
from tests.browser.window import Look, watched
from tests.factories import House
from tests.people import COOKIE, Cast, Someone

CHROMIUM = Path("/usr/bin/chromium")
MISSING = f"No Chromium at {CHROMIUM}: the tests that walk the pages in a browser did not run."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is marked, so that it can be chosen or left out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One Chromium for each test process."""
    if not CHROMIUM.exists():
        pytest.fail(MISSING) if os.environ.get("CI") == "true" else pytest.skip(MISSING)
    async with async_playwright() as playwright:
        # As root Chromium refuses its sandbox; what it opens here are our own pages.
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        await browser.close()


Window = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture
def window(chromium: Browser, site: str, web: Database) -> Window:
    """`window(nadia, look)`: a window in which somebody is signed in; `window(None)`: nobody is."""

    @asynccontextmanager
    async def opened(person: Someone | None, look: Look | None = None) -> AsyncIterator[Page]:
        look = look or Look()
        context = await chromium.new_context(base_url=site, **look.of_context())
        context.set_default_timeout(15_000)
        try:
            if person is not None:
                async with web.tenant(person.tenant_id) as session:
                    token = await open_session(session, person.user_id)
                await context.add_cookies([{"name": COOKIE, "value": token, "url": site}])
            page = await context.new_page()
            async with watched(page, expected=look.expected):
                yield page
        finally:
            await context.close()  # a page that stays open listens, and holds up the end of the web server

    return opened


@pytest.fixture
def camille(people: Cast, worker: Database, settings: Settings) -> House:
    """Camille at work."""
    return House(worker, settings, people.company, people.camille)
