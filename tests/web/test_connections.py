"""Connecting the shop: an administrator enters it, tries it for real, never sees the key again, and may remove it."""

import re
from pathlib import Path

import pytest

from app.demo.shop.application import create_app as create_shop
from app.web.application import create_app
from tests.people import open_browser
from tests.serving import serving

KEY = "sk-live-of-the-shop-0042"
PATHS = ("/connections", "/connections/shop", "/connections/shop/remove")


@pytest.fixture
async def shop(tmp_path: Path):
    """The demo's shop, running: its address and the key that it wants."""
    async with serving(create_shop(tmp_path / "shop.sqlite", KEY)) as address:
        yield address


@pytest.fixture
async def site_to_shop(settings, shop):
    """A web server that may go to that shop."""
    allowed = settings.model_copy(update={"placet_allowed_hosts": shop.removeprefix("http://")})
    async with serving(create_app(allowed)) as address:
        yield address


@pytest.mark.parametrize("who", ["nadia", "lea"])
async def test_only_an_administrator_comes_here(browse, people, who):
    async with browse(getattr(people, who)) as browser:
        assert [(await browser.get(path)).status_code for path in PATHS] == [403] * len(PATHS)
        assert 'href="/connections"' not in (await browser.get("/settings")).text


async def test_what_is_entered_works_and_the_key_is_never_shown_again(site_to_shop, web, omar, shop, submit):
    async with open_browser(site_to_shop, web, omar) as browser:
        entered = await submit(browser, "/connections/shop", "/connections/shop", shop_url=shop, shop_key=KEY)
        assert entered.status_code == 303
        page = (await browser.get("/connections")).text
        assert "Not tried yet" in page and shop in page and "by you" in page
        assert (await submit(browser, "/connections", "/connections/shop/try")).status_code == 303
        page = (await browser.get("/connections")).text
        assert "It works: the service answered and takes what was entered." in page
        shown = [(await browser.get(path)).text for path in (*PATHS, "/abilities", "/journal", "/settings")]
    assert not [page for page in shown if KEY in page or KEY[8:] in page]


async def test_a_wrong_key_and_a_wrong_address_are_told_apart(site_to_shop, web, omar, shop, submit):
    async with open_browser(site_to_shop, web, omar) as browser:
        for fields, said in (
            ({"shop_url": shop, "shop_key": "not the key at all"}, "The shop does not accept this key."),
            ({"shop_url": "http://10.1.2.3", "shop_key": KEY}, "The shop cannot be reached at this address."),
        ):
            await submit(browser, "/connections/shop", "/connections/shop", **fields)
            await submit(browser, "/connections", "/connections/shop/try")
            page = (await browser.get("/connections")).text
            assert said in page and "Did not work" in page
        assert "The shop did not answer when it was last tried." in (await browser.get("/abilities")).text


async def test_what_does_not_fit_is_said_at_its_field_and_the_address_stays(browse, omar, submit):
    async with browse(omar) as browser:
        answer = await submit(browser, "/connections/shop", "/connections/shop", shop_url="my shop", shop_key="short")
        assert answer.status_code == 422
        assert 'value="my shop"' in answer.text and "short" not in answer.text
        assert len(re.findall('class="field__error"', answer.text)) == 2
        assert "Missing" in (await browser.get("/connections")).text


async def test_a_key_stays_when_it_is_left_empty_but_not_for_another_address(browse, omar, submit):
    async with browse(omar) as browser:
        url = "/connections/shop"
        await submit(browser, url, url, shop_url="https://shop.example", shop_key=KEY)
        assert (await submit(browser, url, url, shop_url="https://shop.example", shop_key="")).status_code == 303
        answer = await submit(browser, url, url, shop_url="https://thief.example", shop_key="")
    assert (
        answer.status_code == 422
        and "With another address or name, please enter the key or the password again." in answer.text
    )


async def test_removing_says_first_what_stops(browse, people, omar, submit):
    async with browse(omar) as browser:
        await submit(browser, "/connections/shop", "/connections/shop", shop_url="https://shop.example", shop_key=KEY)
        page = (await browser.get("/connections/shop/remove")).text
        assert "Camille" in page and "refund an order" in page and "send a mail" not in page
        await submit(browser, "/connections/shop/remove", "/connections/shop/remove")
        page = (await browser.get("/connections")).text
        assert "Removed: Shop." in page and "Missing" in page
        assert "disconnected a service" in (await browser.get("/journal")).text


async def test_another_company_sees_nothing_of_it(browse, omar, rita, submit):
    async with browse(omar) as his, browse(rita) as hers:
        await submit(his, "/connections/shop", "/connections/shop", shop_url="https://shop.example", shop_key=KEY)
        page = (await hers.get("/connections")).text
        assert "Missing" in page and "shop.example" not in page
        assert (await hers.get("/connections/unknown")).status_code == 404
