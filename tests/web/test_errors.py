"""What people read when something does not work."""

import httpx2

from app.web.application import create_app
from tests.serving import serving


async def test_an_address_that_does_not_exist_is_a_page_with_a_way_back(browse, nadia):
    async with browse(nadia) as browser:
        answer = await browser.get("/nowhere")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.text and 'href="/inbox"' in answer.text


async def test_a_bug_shows_a_reference_and_nothing_of_itself(settings, caplog):
    app = create_app(settings)

    @app.get("/bug")
    async def bug() -> None:
        raise ZeroDivisionError("secret of the house")

    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as browser:
        answer = await browser.get("/bug?q=private")
    assert answer.status_code == 500
    assert "Something broke on our side" in answer.text and "secret of the house" not in answer.text
    logged = next(record for record in caplog.records if record.msg == "page_broke")
    assert logged.reference in answer.text
    assert "content-security-policy" in answer.headers


async def test_without_its_database_it_says_when_to_come_again(settings):
    nowhere = settings.model_copy(update={"database_url": "postgresql://nobody@127.0.0.1:1/none"})
    cookies = {"placet": "x" * 43}
    async with serving(create_app(nowhere)) as url, httpx2.AsyncClient(base_url=url, cookies=cookies) as browser:
        page, ready, alive = [await browser.get(path) for path in ("/inbox", "/readyz", "/healthz")]
    assert (page.status_code, page.headers["retry-after"]) == (503, "5")
    assert "We will be right back" in page.text
    assert (ready.status_code, alive.status_code) == (503, 200)


async def test_who_was_signed_out_meanwhile_is_told_so(browse):
    async with browse(None) as browser:
        answer = await browser.post("/settings", data={"language": "fr", "zone": "UTC"})
        assert answer.headers["location"] == "/sign-in"
        assert "You were signed out meanwhile." in (await browser.get("/sign-in")).text
