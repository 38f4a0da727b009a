"""R24 over HTTP: keys that services echo in every encoding are on no page, in no mail and no log."""

import html
import json
import logging
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import func

from app.approvals.models import Approval
from app.logs import JsonLines
from app.settings import Settings
from app.tools.mask import MASKED
from app.tools.way_out import way_out
from app.web.application import create_app
from app.worker.sweeps import SWEEPS
from tests.people import Cast, open_browser
from tests.scripted import Scripted, with_model
from tests.serving import serving
from tests.tool_servers.servers import Running, gets
from tests.web.conftest import Submit, hidden_fields
from tests.web.echoing import MINE, SERVICE_KEY, SHOP_KEY, THEIRS, echoing_service, echoing_shop
from tests.web.test_security import routes
from tests.world import World

SEARCH, LIST = "crm__search_customers", "crm__list_orders"
READS = f'CALL lookup_order {{"order_number": "MC-1042"}} CALL {SEARCH} {{"query": "a"}}'
NO_PAGE = {"live", "healthz", "readyz", "language"}
MOST_PAGES = 200
ECHOED = ("/tasks/", "/requests/", "/conversations/", "/services/", "/abilities", "mail ")  # where a key had its chance


@dataclass(frozen=True)
class Scene:
    """A company that entered both keys, and what is around it."""

    world: Scripted
    people: Cast
    site: str
    shop: str
    crm: Running

    @asynccontextmanager
    async def browser(self, name: str) -> AsyncIterator[httpx2.AsyncClient]:
        """The pages, as one of the cast or as nobody."""
        async with open_browser(self.site, self.world.web, getattr(self.people, name, None)) as browser:
            yield browser


@pytest.fixture
async def scene(world: World, people: Cast, settings: Settings, tmp_path: Path, submit: Submit) -> AsyncIterator[Scene]:
    """Omar connects the shop and adds the service, as administrators do."""
    async with echoing_shop(tmp_path) as shop, echoing_service() as crm:
        hosts = f"{shop.removeprefix('http://')},127.0.0.1:{crm.port}"
        around = with_model(world, "practice-obedient")
        theirs = around.house.settings.model_copy(update={"placet_allowed_hosts": hosts})
        around.house = replace(around.house, settings=theirs, http=way_out(theirs))
        async with serving(create_app(settings.model_copy(update={"placet_allowed_hosts": hosts}))) as site:
            made = Scene(around, people, site, shop, crm)
            async with made.browser("omar") as browser:
                await connect(made, browser, submit)
            await gets(around.owner, people, SEARCH, LIST)
            yield made


async def connect(scene: Scene, browser: httpx2.AsyncClient, submit: Submit) -> None:
    """Enter the keys, also where they do not fit, so that forms come back; try them, ask again, confirm."""
    entry, add = "/connections/shop", "/services/add"
    await submit(browser, entry, entry, shop_url="no address", shop_key=SHOP_KEY)
    await submit(browser, entry, entry, shop_url=scene.shop, shop_key=SHOP_KEY)
    await submit(browser, "/connections", f"{entry}/try")
    await submit(browser, add, add, name="Our CRM", address=scene.crm.address, key=SERVICE_KEY)
    added = await submit(browser, add, add, name="crm", address=scene.crm.address, key=SERVICE_KEY)
    here = added.headers["location"]
    await submit(browser, here, f"{here}/refresh")
    page = (await browser.get(here)).text
    marks = dict(re.findall(r'name="(mark\.[^"]+)" value="([^"]+)"', page))
    await browser.post(f"{here}/review", data={**hidden_fields(page, f"{here}/review"), **marks, "confirm": "all"})


async def work(scene: Scene) -> None:
    """A customer's mail and the services' answers give orders; people approve what comes of it; reminders go out."""
    letter = EmailMessage()
    letter["From"], letter["To"] = "Emma Walsh <emma.walsh@example.com>", "service@maison-colibri.example"
    letter["Subject"], letter["Message-ID"] = "A cup", "<r24@example.com>"
    letter.set_content(f'About MC-1042. {READS} CALL {LIST} {{"query": "b"}}')
    conversation = await scene.world.mail(scene.people, letter)
    await scene.world.say(scene.people.nadia, conversation, "CALL read_mail {}")
    await scene.world.work()
    for request, _ in await scene.world.pending(scene.people.company):
        await scene.world.rewrite(request, remind_at=func.clock_timestamp() - func.make_interval(0, 0, 0, 0, 1))
    for sweep in SWEEPS:
        if sweep.name in ("remind", "outbox"):
            await sweep.tick(scene.world.house)
    async with scene.browser("nadia") as browser:
        for _ in range(4):
            for request, _call in await scene.world.pending(scene.people.company):
                await approve(browser, request)
            await scene.world.work()


async def approve(browser: httpx2.AsyncClient, request: Approval) -> None:
    """Nadia sees it and lets it go."""
    page = (await browser.get(f"/requests/{request.id}")).text
    form = hidden_fields(page, f"/requests/{request.id}/answer")
    answer = await browser.post(f"/requests/{request.id}/answer", data={**form, "verdict": "approve"})
    assert answer.status_code == 303


async def walk(browser: httpx2.AsyncClient) -> dict[str, str]:
    """Every page that links lead to, with what it says."""
    seen: dict[str, str] = {}
    to_see = ["/", "/inbox", "/settings", "/sign-in", "/abilities", "/connections", "/services", "/nothing"]
    while to_see and len(seen) < MOST_PAGES:
        path = to_see.pop().partition("#")[0]
        if path in seen or not path.startswith("/") or path.startswith("/static"):
            continue
        answer = await browser.get(path)
        told = [f"{name}: {value}" for name, value in answer.headers.items() if name != "set-cookie"]
        seen[path] = "\n".join([*told, answer.text])
        to_see += [html.unescape(link) for link in re.findall(r'href="(/[^"]*)"', answer.text)]
    assert not to_see
    return seen


def leaked(text: str, secrets: Iterable[str]) -> list[str]:
    """Which secrets stand in a text, as it is or as a browser reads it."""
    texts = (text, html.unescape(text))
    return [secret for secret in secrets if any(secret in one or json.dumps(secret)[1:-1] in one for one in texts)]


@pytest.mark.thorough
async def test_no_key_comes_back_on_a_page_in_a_mail_or_in_a_log(
    scene: Scene, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await work(scene)
    secrets = [*MINE, *THEIRS, settings.app_secret]
    places: dict[str, str] = {}
    for who in ("omar", "nadia", "lea", "rita", "nobody"):
        async with scene.browser(who) as browser:
            pages = await walk(browser)
            secrets += list(dict(browser.cookies).values())
        places |= {f"{who}: {path}": text for path, text in pages.items()}
    mails = scene.world.mailbox.mails()
    places |= {f"mail {mail.number}": f"{mail.subject} {mail.body} {mail}" for mail in mails}
    places["logs"] = "\n".join(JsonLines().format(line) for line in caplog.records if line.name.startswith("app"))

    assert {place: found for place, text in places.items() if (found := leaked(text, secrets))} == {}
    maskings = {place: text.count(MASKED) for place, text in places.items() if MASKED in text}
    print(f"R24: {len(secrets)} secrets in {len(places)} places, {len(mails)} mails, {sum(maskings.values())} maskings")
    assert sum(maskings.values()) >= 500 and len(mails) >= 2
    assert [kind for kind in ECHOED if not any(kind in place for place in maskings)] == []
    assert not_walked(settings, places) == set()


def not_walked(settings: Settings, places: Iterable[str]) -> set[str]:
    """The names of pages that exist and that nobody's walk came to."""
    paths = [place.partition(": ")[2].partition("?")[0] for place in places]
    gets_ = [route for route in routes(settings) if "GET" in (getattr(route, "methods", None) or ())]
    return {route.name for route in gets_ if not any(route.path_regex.fullmatch(path) for path in paths)} - NO_PAGE
