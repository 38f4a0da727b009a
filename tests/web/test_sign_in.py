"""Coming in and going out."""

import asyncio

from sqlalchemy import func, update

from app.identity.models import Membership
from app.identity.sign_in import PER_PERSON_AND_PLACE
from tests.people import PASSWORD
from tests.web.conftest import hidden_fields


async def test_the_right_password_opens_the_inbox(browse, nadia, submit):
    async with browse(None) as browser:
        answer = await submit(browser, "/sign-in?next=/journal", "/sign-in", email=nadia.email, password=PASSWORD)
        assert (answer.status_code, answer.headers["location"]) == (303, "/journal")
        assert "Nadia" in (await browser.get("/inbox")).text


async def test_the_cookie_is_out_of_reach_of_scripts(browse, nadia, submit):
    async with browse(None) as browser:
        answer = await submit(browser, "/sign-in", "/sign-in", email=nadia.email, password=PASSWORD)
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith("placet="))
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and "Path=/" in cookie


async def test_a_wrong_password_and_an_unknown_address_read_the_same(browse, nadia, submit):
    async with browse(None) as browser:
        wrong = await submit(browser, "/sign-in", "/sign-in", email=nadia.email, password="not this one")
        unknown = await submit(browser, "/sign-in", "/sign-in", email="nobody@example.org", password="not this one")
    sentence = "This e-mail address and password do not go together."
    assert wrong.status_code == unknown.status_code == 422
    assert sentence in wrong.text and sentence in unknown.text


async def test_guessing_is_stopped_also_with_the_right_password(browse, omar, submit):
    async with browse(None) as browser:
        page = (await browser.get("/sign-in")).text
        form = {**hidden_fields(page, "/sign-in"), "email": omar.email}
        guesses = [browser.post("/sign-in", data={**form, "password": "wrong"}) for _ in range(PER_PERSON_AND_PLACE)]
        assert {answer.status_code for answer in await asyncio.gather(*guesses)} == {422}
        assert (await browser.post("/sign-in", data={**form, "password": PASSWORD})).status_code == 429


async def test_signing_out_ends_the_session_itself(browse, nadia, submit):
    async with browse(nadia) as browser:
        token = browser.cookies["placet"]
        assert (await submit(browser, "/inbox", "/sign-out")).status_code == 303
        again = await browser.get("/inbox", headers={"Cookie": f"placet={token}"})
    assert again.headers["location"] == "/sign-in?next=/inbox"


async def test_coming_in_again_ends_the_session_that_was_there(browse, nadia, submit):
    async with browse(nadia) as browser:
        old = browser.cookies["placet"]
        await submit(browser, "/sign-in", "/sign-in", email=nadia.email, password=PASSWORD)
        assert browser.cookies["placet"] != old
    async with browse(None) as thief:
        assert (await thief.get("/inbox", headers={"Cookie": f"placet={old}"})).status_code == 303


async def test_a_stranger_is_sent_to_the_door_and_back_afterwards(browse):
    async with browse(None) as browser:
        answer = await browser.get("/employees?x=1")
    assert answer.headers["location"] == "/sign-in?next=/employees%3Fx%3D1"


async def test_the_way_back_never_leads_to_another_site(browse, nadia, submit):
    async with browse(None) as browser:
        answer = await submit(
            browser, "/sign-in", "/sign-in", email=nadia.email, password=PASSWORD, next="//evil.example/inbox"
        )
    assert answer.headers["location"] == "/inbox"


async def test_a_removed_person_is_out_at_once(browse, owner, lea):
    async with browse(lea) as browser:
        assert (await browser.get("/inbox")).status_code == 200
        async with owner.tenant(lea.tenant_id) as session:
            await session.execute(
                update(Membership).where(Membership.user_id == lea.user_id).values(ended_at=func.clock_timestamp())
            )
        assert (await browser.get("/inbox")).status_code == 303
