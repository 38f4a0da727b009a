"""Does an open page stay true? It takes over what changed, moves nothing under a finger, says when it hears nothing."""

import asyncio

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import func, update

from app.approvals.answer import Answer, Verdict, answer
from app.content import seal
from app.ids import new_id
from app.runs.models import Run, ToolCall
from app.runs.states import CallStatus, End, RunStatus
from tests.browser.conftest import Window
from tests.browser.day import ARMED_AFTER
from tests.browser.window import Look
from tests.people import Cast

LISTENS = 1.5  # seconds until the stream has a first picture, with which later ones are compared
LOST = Look(390, expected=("Failed to load resource: net::",))


async def places(page: Page) -> dict[str, float]:
    """Where each card stands."""
    cards = await page.locator(".card").all()
    return {str(await card.get_attribute("id")): (await card.bounding_box() or {"y": -1})["y"] for card in cards}


async def test_a_new_request_comes_at_the_end_while_one_looks(window: Window, people: Cast, camille) -> None:
    first = await camille.asks()
    async with window(people.nadia) as page:
        await page.goto("/inbox")
        await asyncio.sleep(LISTENS)
        before = await places(page)
        second = await camille.asks("refund_order")
        await expect(page.locator(f"#card-{second.id}")).to_be_visible()
        after = await places(page)
        assert after[f"card-{first.id}"] == before[f"card-{first.id}"] < after[f"card-{second.id}"]
        await expect(page.locator("h1")).to_have_text("2 requests wait for you")
        await expect(page.locator(".nav .count")).to_contain_text("2")


@pytest.mark.thorough
async def test_the_first_request_takes_the_place_of_the_empty_inbox(window: Window, people: Cast, camille) -> None:
    async with window(people.nadia) as page:
        await page.goto("/inbox")
        await expect(page.locator(".empty")).to_be_visible()
        await asyncio.sleep(LISTENS)
        pending = await camille.asks()
        await expect(page.locator(f"#card-{pending.id}")).to_be_visible()
        await expect(page.locator(".empty")).to_be_hidden()


@pytest.mark.thorough
async def test_an_answered_card_stays_where_it_is_and_says_so(window: Window, people: Cast, camille, web) -> None:
    pending = [await camille.asks(), await camille.asks("refund_order")]
    async with window(people.nadia) as page:
        await page.goto("/inbox")
        await asyncio.sleep(LISTENS)
        before = await places(page)
        async with web.tenant(people.company) as session:
            given = Answer(Verdict.REJECT, "")
            await answer(session, pending[0].id, given, by=people.omar.member, operation=new_id())
        gone = page.locator(f"#card-{pending[0].id}.card--gone")
        await expect(gone).to_have_attribute("data-word", "Answered meanwhile")
        assert await places(page) == before


async def test_after_a_yes_the_next_page_goes_on_to_say_that_it_was_sent(window: Window, people: Cast, camille) -> None:
    """Nobody has to go back to the request to see what became of it."""
    mail, other = await camille.asks(), await camille.asks("refund_order")
    async with window(people.nadia) as page:
        await page.goto(f"/requests/{mail.id}")
        await asyncio.sleep(ARMED_AFTER)
        await page.locator("button[value=approve]").click()
        await page.wait_for_url(f"**/requests/{other.id}")
        line = page.locator("[data-follow]")
        await expect(line).to_contain_text("It is about to be done.")
        await asyncio.sleep(LISTENS)
        async with camille.worker.tenant(people.company) as session:
            mine = update(ToolCall).where(ToolCall.id == mail.call_id)
            result_id = await seal.keep(session, {"text": "{}", "value": {}, "provenance": "house"})
            done = mine.values(status=CallStatus.DONE, result_id=result_id, intent_at=func.clock_timestamp())
            await session.execute(done.values(outcome_at=func.clock_timestamp()))
            run = update(Run).where(Run.id == mail.run_id)
            await session.execute(run.values(status=RunStatus.DONE, end=End.ANSWERED, ended_at=func.clock_timestamp()))
        await expect(line).to_contain_text("Sent, today")


@pytest.mark.thorough
async def test_a_lost_connection_is_said_and_taken_back(window: Window, people: Cast) -> None:
    async with window(people.nadia, LOST) as page:
        await page.goto("/inbox")
        await expect(page.locator("#connection")).to_be_hidden()
        await page.context.set_offline(True)
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(page.locator("#connection")).to_be_visible()
        await page.context.set_offline(False)
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(page.locator("#connection")).to_be_hidden()
