"""How does a window look, and what of it do people get to see afterwards?"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import ConsoleMessage, Page

ARTEFACTS = Path(__file__).resolve().parents[2] / "artefacts"
NIGHTLY = bool(os.environ.get("PLACET_NIGHTLY"))  # every look, and every picture: minutes
HEIGHTS = {320: 640, 390: 844, 640: 400, 1280: 800}
# What the browser itself says about an answer of ours that is no page: the test looks at the answer.
ANSWERS = "Failed to load resource: the server responded with a status of"

TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? "" :
  [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3)
  .map(e => `${e.tagName}.${e.className}: ${e.textContent.trim().slice(0, 40)}`).join(" | ") || "something"
"""


@dataclass(frozen=True)
class Look:
    """A window's size, language and light. `expected` are parts of console messages that the test wants."""

    width: int = 390
    language: str = "en"
    scheme: str = "light"
    script: bool = True
    zoom: int = 1  # 2: a page of this width at 200 %
    expected: tuple[str, ...] = ()

    def of_context(self) -> dict[str, Any]:
        """As Playwright wants it."""
        return {
            "viewport": {"width": self.width // self.zoom, "height": HEIGHTS[self.width] // self.zoom},
            "device_scale_factor": self.zoom,
            "locale": self.language,
            "color_scheme": self.scheme,
            "java_script_enabled": self.script,
            "has_touch": self.width < 640,
        }


@asynccontextmanager
async def watched(page: Page, *, expected: tuple[str, ...] = ()) -> AsyncIterator[None]:
    """Fail where the page complained: a blocked script or style is a hole in what we promise, not noise."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith((ANSWERS, *expected)):
            complaints.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"a script opened a dialog: {dialog.message}"))
    yield
    assert complaints == []


async def keep(page: Page, name: str) -> None:
    """A screenshot of the whole page, for people to look at."""
    size = page.viewport_size or {"width": 390, "height": 844}
    height = await page.evaluate("document.documentElement.scrollHeight")
    # The window is made as tall as the page, so that the bar at its foot stands where the page ends.
    await page.set_viewport_size({"width": size["width"], "height": min(max(height, size["height"]), 6000)})
    ARTEFACTS.mkdir(exist_ok=True)
    await page.screenshot(path=ARTEFACTS / f"{name}-{size['width']}.png")
    await page.set_viewport_size(size)


async def in_both_widths(page: Page, name: str) -> None:
    """The same page on a phone and on a desk; in a quick run only as wide as the window is."""
    if not NIGHTLY or page.viewport_size is None:
        return await keep(page, name)
    before = page.viewport_size
    for width in (390, 1280):
        await page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        await keep(page, name)
    await page.set_viewport_size(before)


async def too_wide(page: Page) -> str:
    """What makes the page scroll sideways; nothing, if it does not."""
    await page.wait_for_load_state()
    return str(await page.evaluate(TOO_WIDE))
