"""What no page may allow, whoever asks: routes without a right, forms of other sites, scripts, bodies without end."""

import asyncio
import re

import pytest
from sqlalchemy import func, select
from starlette.responses import Response
from starlette.routing import Mount

from app.approvals.models import Approval
from app.audit.models import Entry
from app.identity.roles import Permission
from app.settings import Settings
from app.web.application import LARGEST_BODY, create_app
from app.web.cookies import SESSION, set_cookie
from app.web.dependencies import Needs
from tests.web.conftest import hidden_fields

OPEN = {"home", "healthz", "readyz", "sign_in", "sign_in.post", "language", "static"}  # for people nobody knows yet


def routes(settings: Settings):
    """The route table, flat."""
    found = []
    waiting = list(create_app(settings).routes)
    while waiting:
        route = waiting.pop()
        inner = getattr(route, "original_router", None)
        waiting += inner.routes if inner is not None else []
        if inner is None:
            found.append(route)
    return found


def permission_of(route) -> Permission | None:
    """The permission that a route names."""
    needed = [d.call.permission for d in route.dependant.dependencies if isinstance(d.call, Needs)]
    return needed[0] if len(needed) == 1 else None


def test_every_route_names_its_permission_or_is_known_to_be_open(settings):
    table = {route.name: None if isinstance(route, Mount) else permission_of(route) for route in routes(settings)}
    assert len(table) > 20
    assert {name for name, permission in table.items() if permission is None} == OPEN


def test_nothing_describes_the_service_to_strangers(settings):
    assert not [route for route in routes(settings) if route.path in ("/docs", "/redoc", "/openapi.json")]


async def test_no_post_is_taken_without_the_forms_token(browse, settings, nadia):
    posts = [route.path for route in routes(settings) if "POST" in (getattr(route, "methods", None) or ())]
    async with browse(nadia) as browser:
        for path in posts:
            url = re.sub(r"\{.*?\}", "0193b6a0-0000-7000-8000-000000000000", path)
            fields = {"email": "x", "password": "x", "language": "fr", "zone": "UTC", "verdict": "approve"}
            answer = await browser.post(url, data={**fields, "operation": "0193b6a0-0000-7000-8000-000000000000"})
            assert answer.status_code == 403, path


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    ],
)
async def test_a_form_of_another_site_does_nothing_even_with_a_stolen_token(browse, camille, nadia, headers):
    pending = await camille.asks()
    async with browse(nadia) as browser:
        form = hidden_fields((await browser.get(f"/requests/{pending.id}")).text, f"/requests/{pending.id}/answer")
        data = {**form, "verdict": "approve"}
        answer = await browser.post(f"/requests/{pending.id}/answer", data=data, headers=headers)
        assert answer.status_code == 403
        assert str(pending.id) in (await browser.get("/inbox")).text


async def test_the_token_of_one_session_opens_no_form_of_another(browse, camille, nadia, omar):
    pending = await camille.asks()
    async with browse(nadia) as hers, browse(omar) as his:
        form = hidden_fields((await hers.get(f"/requests/{pending.id}")).text, f"/requests/{pending.id}/answer")
        answer = await his.post(f"/requests/{pending.id}/answer", data={**form, "verdict": "approve"})
    assert answer.status_code == 403


async def test_every_answer_forbids_what_no_page_needs(browse, nadia):
    async with browse(nadia) as browser:
        for path in ("/inbox", "/sign-in", "/nothing", "/static/css/base.css", "/healthz"):
            headers = (await browser.get(path)).headers
            policy = headers["content-security-policy"]
            assert "unsafe" not in policy and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"


async def test_no_page_holds_a_script_or_a_style_of_its_own(browse, camille, nadia):
    pending = await camille.asks()
    pages = ["/inbox", f"/requests/{pending.id}", f"/tasks/{pending.run_id}", "/journal", "/settings", "/employees"]
    async with browse(nadia) as browser:
        for path in pages:
            page = (await browser.get(path)).text
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", page), path


async def test_pages_are_not_kept_by_caches_and_static_files_are(browse, nadia):
    async with browse(nadia) as browser:
        assert (await browser.get("/inbox")).headers["cache-control"] == "no-store"
        assert "immutable" in (await browser.get("/static/css/base.css")).headers["cache-control"]


async def test_a_body_that_is_too_large_is_refused_before_it_is_read(browse, nadia):
    async def endless():
        for _ in range(LARGEST_BODY // 100_000 + 2):
            yield b"x" * 100_000

    async with browse(nadia) as browser:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert (await browser.post("/settings", content=endless(), headers=form)).status_code == 413
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.base_url.port)
    head = f"POST /settings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {LARGEST_BODY + 1}\r\n\r\n"
    writer.write(head.encode())  # and not one byte of the body
    assert (await reader.readline()).startswith(b"HTTP/1.1 413")
    writer.close()


async def test_the_cookie_is_for_this_host_and_https_only_where_people_come_by_https(settings):
    answer = Response()
    set_cookie(answer, Settings(app_secret=settings.app_secret, public_url="https://placet.example"), SESSION, "token")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-placet=token;") and "Secure" in cookie and "Domain" not in cookie


def test_the_page_of_all_pieces_exists_in_the_demo_only(settings):
    demo = settings.model_copy(update={"placet_env": "demo"})
    assert "styleguide" in {route.name for route in routes(demo)}
    assert "styleguide" not in {route.name for route in routes(settings)}


async def test_looking_changes_nothing(browse, camille, nadia, web):
    pending = await camille.asks()
    paths = ["/inbox", f"/requests/{pending.id}", f"/requests/{pending.id}/answer?verdict=approve", "/sign-out", "/"]

    async def state():
        async with web.tenant(nadia.tenant_id) as session:
            entries = await session.scalar(select(func.count()).select_from(Entry))
            return entries, await session.scalar(select(Approval.status).where(Approval.id == pending.id))

    before = await state()
    async with browse(nadia) as browser:
        for path in paths:
            await browser.get(path)
            await browser.head(path)
    assert await state() == before
