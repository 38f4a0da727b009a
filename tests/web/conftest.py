"""What page tests need beside the cast: tasks that wait, and forms as a browser sends them."""

import re
from collections.abc import Awaitable
from typing import Protocol

import httpx2
import psycopg
import pytest
from sqlalchemy import make_url

from app.database.transaction import Database
from app.settings import Settings
from tests.factories import House
from tests.people import Cast


@pytest.fixture
def camille(people: Cast, worker: Database, settings: Settings) -> House:
    """Camille at work."""
    return House(worker, settings, people.company, people.camille)


@pytest.fixture
def robin(people: Cast, worker: Database, settings: Settings) -> House:
    """The employee of rita's company at work."""
    return House(worker, settings, people.ritas_company, people.ritas_employee)


class Submit(Protocol):
    """Sends a form of a page."""

    def __call__(
        self, browser: httpx2.AsyncClient, page: str, action: str, **fields: str
    ) -> Awaitable[httpx2.Response]: ...


@pytest.fixture
def submit() -> Submit:
    """Open `page`, find its form for `action`, fill in `fields`, send it with its hidden fields."""

    async def send(browser: httpx2.AsyncClient, page: str, action: str, **fields: str) -> httpx2.Response:
        shown = await browser.get(page)
        assert shown.status_code == 200, shown.text[:500]
        return await browser.post(action, data={**hidden_fields(shown.text, action), **fields})

    return send


def hidden_fields(page: str, action: str) -> dict[str, str]:
    """The hidden fields of the form that posts to `action`."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', page, re.DOTALL)
    assert form is not None, f"no form for {action}"
    inputs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form.group())
    return dict(inputs)


@pytest.fixture
def superuser_sees(postgres, settings):
    """What the web's connections to the database are doing at this moment."""

    async def seen() -> list[str]:
        name = make_url(settings.database_url).database
        async with await psycopg.AsyncConnection.connect(postgres["superuser"].replace("+psycopg", "")) as connection:
            rows = await connection.execute("SELECT state FROM pg_stat_activity WHERE datname = %s", [name])
            return [row[0] or "" for row in await rows.fetchall()]

    return seen
