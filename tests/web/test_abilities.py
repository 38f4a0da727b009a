"""Everything that employees can do, on one page: what it is, what usually happens, who has it, whether it works."""

import re

import pytest

from app.tools.catalogue import TOOLS
from app.web.tell.abilities import NAMES
from tests.tool_servers.servers import gets


def row(page: str, name: str) -> str:
    """One ability's row, as it is read aloud."""
    found = re.search(rf"<tr>\s*<th scope=\"row\"><bdi>{re.escape(name)}</bdi>.*?</tr>", page, re.DOTALL)
    assert found is not None, name
    return " ".join(re.sub(r"<[^>]*>", " ", found.group()).split())


async def test_everybody_sees_all_that_exists_in_words(browse, lea):
    async with browse(lea) as browser:
        page = (await browser.get("/abilities")).text
    assert all(row(page, NAMES[name]) for name in TOOLS)
    assert not [name for name in TOOLS if name in page]
    assert row(page, "Send a mail").startswith(
        "Send a mail acts outside Answers the person who wrote, and nobody else."
    )


async def test_it_says_who_has_it_and_what_happens_then(browse, people, owner, lea):
    await gets(owner, people, "update_price", tools={"update_price": "never", "refund_order": "never"})
    async with browse(lea) as browser:
        page = (await browser.get("/abilities")).text
    assert "asks first Camille cannot do it Nobody" in row(page, "Change a price")
    assert "Camille asks first" in row(page, "Send a mail")
    assert "asks first nobody Nobody" in row(page, "Take an article out of the catalogue")


async def test_it_says_what_anybody_outside_may_use(browse, people, owner, lea):
    await gets(owner, people, public_tools=["save_draft"])
    async with browse(lea) as browser:
        page = (await browser.get("/abilities")).text
    assert "Any visitor" in row(page, "Search the catalogue")
    assert "A customer who has shown who they are" in row(page, "Look up an order")
    assert "Visitors, because a job sheet lists it for them" in row(page, "Keep a draft")
    assert "Nobody" in row(page, "Refund an order")


@pytest.mark.parametrize(("who", "link"), [("omar", True), ("lea", False)])
async def test_what_is_missing_is_said_and_those_who_may_are_led_there(browse, people, who, link):
    async with browse(getattr(people, who)) as browser:
        page = (await browser.get("/abilities")).text
    assert "The shop is not connected yet." in row(page, "Look up an order")
    assert ("Connect it" in row(page, "Look up an order")) is link
    assert ('href="/services/add"' in page) is link
    assert "No mail can leave yet" in row(page, "Send a mail")


async def test_another_company_sees_its_own_employees(browse, rita):
    async with browse(rita) as browser:
        page = (await browser.get("/abilities")).text
    assert "Robin" in page and "Camille" not in page
