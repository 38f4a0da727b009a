"""Can an administrator add a program that the operator allows, on a phone and at a desk, by name alone?"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.settings import Settings
from app.web.application import create_app
from tests.browser.conftest import Window
from tests.browser.test_access import wrong
from tests.browser.window import Look, keep
from tests.people import Cast
from tests.serving import serving
from tests.tool_servers.programs import honest


@pytest.fixture
async def site(settings: Settings, tmp_path: Path) -> AsyncIterator[str]:
    """Pages of an installation that allows one program."""
    allowed = settings.model_copy(update={"placet_local_services": honest(tmp_path).setting})
    async with serving(create_app(allowed)) as address:
        yield address


@pytest.mark.parametrize(
    "look", [Look(320, "fr", "dark"), pytest.param(Look(1280, "en"), marks=pytest.mark.thorough)], ids=["phone", "desk"]
)
async def test_a_program_is_added_by_its_name(window: Window, people: Cast, look: Look) -> None:
    async with window(people.omar, look) as page:
        await page.goto("/services/add")
        assert await wrong(page, closely=True) == []
        await page.locator("[name=name]").fill("notes")
        await page.locator("main form.sheet button").click()  # neither an address nor a program
        assert await page.locator("[aria-invalid=true]").count() > 0
        assert await wrong(page, closely=True) == []
        await keep(page, "service-refused")
        await page.locator("[name=program]").select_option("notes")
        await page.locator("[name=key]").fill("the key of the notes")
        await page.locator("main form.sheet button").click()
        await page.wait_for_url("**/services/*-*")
        assert await wrong(page, closely=True) == []
        await keep(page, "service-of-a-program")
