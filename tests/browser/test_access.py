"""Can everybody use every page in every state? No violation of WCAG 2.2 AA, nothing that scrolls sideways.

Every page must fit 320 pixels. In the thorough run four looks take turns, so that each page is held against the rules
in one of them; PLACET_NIGHTLY=1 does everything in every look, and keeps pictures.
"""

from itertools import product

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from tests.browser.conftest import Window
from tests.browser.states import STATES, scene
from tests.browser.window import NIGHTLY, Look, keep, too_wide
from tests.people import Cast

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COVERING = (
    Look(320, "en", "light"),
    Look(390, "fr", "dark"),
    Look(1280, "fr", "light"),
    Look(1280, "en", "dark", zoom=2),
)
NARROWEST = Look(320, "fr", "dark")
WIDTHS = ((320, 1), (390, 1), (1280, 1), (1280, 2))
EVERY = tuple(
    Look(width, language, scheme, zoom=zoom)
    for (width, zoom), language, scheme in product(WIDTHS, ("en", "fr"), ("light", "dark"))
)


def named(look: Look) -> str:
    return f"{look.width}{'-zoomed' if look.zoom > 1 else ''}-{look.language}-{look.scheme}"


LOOKS = (NARROWEST, *(pytest.param(look, marks=pytest.mark.thorough) for look in (EVERY if NIGHTLY else COVERING)))


@pytest.mark.parametrize("look", LOOKS, ids=named)
async def test_everybody_can_use_every_page(window: Window, people: Cast, camille, web, look: Look) -> None:
    places = await scene(people, camille, web)
    found: list[str] = []
    for who in ("nadia", "omar", "lea", "rita", "nobody"):
        async with window(getattr(people, who, None), look) as page:
            for number, state in enumerate(STATES):
                closely = NIGHTLY or look == COVERING[number % len(COVERING)]
                if state.who == who and (closely or look.width == 320):
                    await state.enter(page, places)
                    found += [f"{state.name}: {line}" for line in await wrong(page, closely=closely)]
                    if NIGHTLY:
                        await keep(page, f"state-{state.name}-{named(look)}")
    assert found == []


async def wrong(page: Page, *, closely: bool) -> list[str]:
    """What is wrong with the page as it is now; `closely` also by the rules of accessibility."""
    wide = await too_wide(page)
    lines = [f"scrolls sideways: {wide}"] if wide else []
    if not closely:
        return lines
    result = await Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    return lines + [
        f"{violation['id']} at {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for violation in result.response["violations"]
        for node in violation["nodes"]
    ]
