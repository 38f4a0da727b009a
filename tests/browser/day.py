"""What does a manager do in a day? Each step as a hand does it, in the words of the page's language."""

import asyncio
from dataclasses import dataclass

from playwright.async_api import Locator, Page, expect

from app.language.speech import Speech
from tests.browser.window import in_both_widths
from tests.people import PASSWORD, Someone
from tests.world import World

ARMED_AFTER = 0.65  # seconds: before that a tap was meant for the page before (static/js/forms.js)


@dataclass
class Day:
    """A person in front of a window, and the world that goes on around her."""

    page: Page
    who: Someone
    world: World
    language: str

    def say(self, sentence: str, **facts: str) -> str:
        """A sentence of ours in the language of the page."""
        return Speech(self.language).say(sentence, facts or None)

    def button(self, sentence: str) -> Locator:
        """A button by its words."""
        return self.page.get_by_role("button", name=self.say(sentence), exact=True)

    def link(self, sentence: str) -> Locator:
        """A link by its words."""
        return self.page.get_by_role("link", name=self.say(sentence), exact=True)

    async def keep(self, name: str) -> None:
        """A picture on a phone and on a desk."""
        await in_both_widths(self.page, f"{self.language}-{name}")

    async def sign_in(self) -> None:
        """With address and password; the inbox opens."""
        await self.page.goto("/")
        await self.keep("00-sign-in")
        await self.page.get_by_label(self.say("E-mail address")).fill(self.who.email)
        await self.page.get_by_label(self.say("Password")).fill(PASSWORD)
        await self.button("Sign in").click()
        await self.page.wait_for_url("**/inbox")

    async def open_request(self, words: str) -> None:
        """By its card in the inbox."""
        await self.page.goto("/inbox")
        await self.page.locator(".card h3 a", has_text=words).first.click()
        await expect(self.page.locator(".answers")).to_be_visible()

    async def approve(self) -> None:
        """One tap, once the page is there for as long as a finger needs to mean it."""
        await asyncio.sleep(ARMED_AFTER)
        await self.button("Approve").click()
        await self.said("Approved: %(title)s")

    async def change(self, text: str) -> None:
        """Other words in the mail, then approve."""
        await self.link("Change").click()
        await self.page.get_by_label(self.say("Text")).fill(text)
        await self.keep("03-change")
        await self.button("Approve with these changes").click()
        await self.said("Approved with your changes: %(title)s")

    async def reject(self, word: str) -> None:
        """With a word."""
        await self.link("Reject").click()
        await expect(self.page.locator("#word")).to_be_focused()
        await self.page.locator("#word").fill(word)
        await self.keep("04-reject")
        await self.button("Reject it").click()
        await self.said("Rejected: %(title)s")

    async def said(self, sentence: str) -> None:
        """The line on what happened stands on the next page."""
        line = self.say(sentence, title="").strip()
        await expect(self.page.locator("main > .notice:visible", has_text=line)).to_be_visible()

    async def the_world_goes_on(self) -> None:
        """The worker brings on what is due."""
        await self.world.work()
