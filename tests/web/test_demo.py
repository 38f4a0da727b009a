"""What is there in the demo only."""

import httpx2
import pytest

from app.identity.sessions import open_session
from app.web.application import create_app


@pytest.fixture
async def demo(settings):
    """A browser on a web process of the demo."""
    app = create_app(settings.model_copy(update={"placet_env": "demo", "anthropic_api_key": "practice-model"}))
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://demo") as browser:
        yield browser
    await app.state.house.database.close()


async def test_its_people_are_at_the_door_and_practice_is_said(demo):
    page = (await demo.get("/sign-in")).text
    assert "nadia@maison-colibri.example" in page and "Practice mode" in page


async def test_all_pieces_are_on_one_page(demo, web, lea):
    async with web.tenant(lea.tenant_id) as session:
        demo.cookies.set("placet", await open_session(session, lea.user_id))
    page = await demo.get("/styleguide")
    assert page.status_code == 200
    assert "RIGHT-TO-LEFT OVERRIDE" in page.text.upper()


async def test_a_real_installation_says_neither(browse):
    async with browse(None) as browser:
        page = (await browser.get("/sign-in")).text
    assert "nadia@maison-colibri.example" not in page and "Practice mode" not in page
