"""Does what strangers write break a page, or run in it? Markup, marks that turn text around, no spaces, nothing."""

from uuid import UUID

import pytest
from playwright.async_api import Page
from sqlalchemy import update

from app.content import seal
from app.conversations.models import Conversation
from app.database.transaction import Database
from app.employees.models import Agent
from app.identity.models import Tenant, User
from tests import factories
from tests.browser.conftest import Window
from tests.browser.states import STATES, scene
from tests.browser.window import Look, keep, too_wide
from tests.people import Cast

SCRIPTS = """<script>window.ran = 1; alert(1)</script><img src=https://example.com/x onerror='window.ran = 1'>"'>
<svg onload='window.ran = 1'></svg></textarea></q>"""
MARKUP = f"\u202eyad a si siht\u202c {SCRIPTS} {{{{ 7 * 7 }}}} %(name)s 👩‍👩‍👧 \u200b\u200b مرحبا "
WORDS = {"loud": MARKUP + "A" * 10_000, "empty": ""}
WITH_WORDS = {
    "inbox",
    "mail",
    "refund",
    "change",
    "changed",
    "task",
    "conversation",
    "employees",
    "employee",
    "journal",
}
LOOK_ALIKE = "l.martin@ехample.org"  # its e and x are Cyrillic


@pytest.fixture(params=["loud", pytest.param("empty", marks=pytest.mark.thorough)])
async def places(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, people: Cast, camille, web, owner: Database
) -> dict[str, UUID]:
    """Every page full of it: mails, reasons, subjects, texts, titles, names."""
    words = WORDS[request.param]
    mail = {**factories.MAIL, "from": LOOK_ALIKE, "from_name": words, "subject": words, "body": words, "date": words}
    monkeypatch.setattr(factories, "MAIL", mail)
    monkeypatch.setattr(factories, "WHY", words)
    monkeypatch.setattr(factories, "ORDER", {**factories.ORDER, "customer": words, "customer_note": words})
    monkeypatch.setattr(factories, "REPLY", {**factories.REPLY, "to": LOOK_ALIKE, "subject": words, "body": words})
    monkeypatch.setattr(factories, "REFUND", {**factories.REFUND, "reason": words[:400] or "-"})
    found = await scene(people, camille, web)
    name = words[:300] or "\u200b"
    async with owner.tenant(people.company) as session:
        await session.execute(update(Conversation).values(title_id=await seal.keep(session, words)))
        await session.execute(update(Agent).values(name=name))
        await session.execute(update(Tenant).where(Tenant.id == people.company).values(name=name))
        await session.execute(update(User).where(User.id == people.omar.user_id).values(name=name))
    return found


async def test_hostile_words_break_no_page_and_run_nothing(window: Window, people: Cast, places) -> None:
    asked_outside: list[str] = []
    async with window(people.nadia, Look(320)) as page:
        page.on("request", lambda request: asked_outside.append(request.url))
        for state in (one for one in STATES if one.name in WITH_WORDS):
            await state.enter(page, places)
            assert await too_wide(page) == "", state.name
            assert await page.evaluate("window.ran") is None, state.name
            assert await page.locator("main :is(script, img, iframe, object, style)").count() == 0, state.name
        await page.goto(f"/requests/{places['mail']}")
        await keep(page, "hostile-request")
        assert "example.com" not in " ".join(asked_outside)


async def test_what_hides_or_deceives_is_made_visible(window: Window, people: Cast, places) -> None:
    async with window(people.nadia, Look(320)) as page:
        await page.goto(f"/requests/{places['mail']}")
        assert "Cyrillic" in await page.locator("h1").inner_text()
        assert "Cyrillic" in await page.locator(".mail__head").inner_text()
        await _unfold(page)
        foreign = await page.locator(".foreign").first.inner_text()
        assert ("U+202E" in foreign) == ("\u202e" in factories.MAIL["body"])
        assert await page.locator(".foreign a").count() == 0


async def _unfold(page: Page) -> None:
    first = page.locator(".foreign").first
    if not await first.evaluate("it => it.open"):
        await first.locator("summary").click()
