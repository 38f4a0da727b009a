"""A company's own outgoing mail: entered, tried by signing in, and what employees send leaves through it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from app.connections.mail import NO_ANSWER, try_mail
from app.demo.serving import listen
from app.tools.going_out import MAIL_PORTS, Guard
from app.tools.http import Http
from app.tools.way_out import way_out
from app.web.application import create_app
from tests.people import open_browser
from tests.scripted import mail, words
from tests.serving import serving
from tests.web.test_connections import KEY

# aiosmtpd warns of what is wanted here: a server without TLS, as hosts of one's own house may be.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH:UserWarning", "ignore:Session.login_data")
PASSWORD = "the password of our mail"
FROM = "hello@colibri.example"
URL = "/connections/mail"


@dataclass
class Server:
    """A mail server of a company, which wants a password and speaks no TLS."""

    port: int = 0
    sign_ins: int = 0
    mails: list[str] = field(default_factory=list)

    def check(self, server: SMTP, session: Session, envelope: Envelope, how: str, data: object) -> AuthResult:
        self.sign_ins += 1
        good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"hello", PASSWORD.encode())
        return AuthResult(success=good, handled=good)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.mails.append(bytes(envelope.original_content or b"").decode())
        return "250 OK"

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"


@asynccontextmanager
async def answering() -> AsyncIterator[Server]:
    """It runs."""
    found, sock = Server(), listen(0)
    found.port = sock.getsockname()[1]
    options = {"auth_required": True, "auth_require_tls": False, "authenticator": found.check}
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(found, **options), sock=sock)
    yield found
    server.close()


@pytest.fixture
async def ours() -> AsyncIterator[Server]:
    """The company's mail server."""
    async with answering() as server:
        yield server


@pytest.fixture
async def omars(settings, web, omar, ours):
    """Omar's browser, on pages that may go there."""
    allowed = settings.model_copy(update={"placet_allowed_hosts": ours.place})
    async with serving(create_app(allowed)) as site, open_browser(site, web, omar) as browser:
        yield browser


def entry(ours: Server, **changed: str) -> dict[str, str]:
    given = {"mail_service": ours.place, "mail_from": FROM, "mail_user": "hello", "mail_password": PASSWORD}
    return given | changed


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mail_password": "another password"}, "The mail service does not accept this name and password."),
        ({"mail_service": "127.0.0.1:465"}, "Placet may not go there: it is in a private network."),
        ({}, "It works: the service answered and takes what was entered."),
    ],
)
async def test_it_is_tried_by_signing_in_and_nothing_is_sent(omars, ours, submit, changed, said):
    assert (await submit(omars, URL, URL, **entry(ours, **changed))).status_code == 303
    await submit(omars, "/connections", f"{URL}/try")
    page = (await omars.get("/connections")).text
    assert said in page and FROM in page and PASSWORD not in page and ours.mails == []
    works = "The outgoing mail did not work when it was last tried." not in (await omars.get("/abilities")).text
    assert works is (changed == {})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mail_service": "smtp.example.com"}, "Please write it like smtp.example.com:465."),
        ({"mail_service": "user@evil:25"}, "Please write it like smtp.example.com:465."),
        ({"mail_from": "hello"}, "This is not an e-mail address."),
        ({"mail_password": "short"}, "This has to have at least 8 characters."),
    ],
)
async def test_what_does_not_fit_is_said_and_stays(omars, ours, submit, changed, said):
    answer = await submit(omars, URL, URL, **entry(ours, **changed))
    assert answer.status_code == 422 and said in answer.text and PASSWORD not in answer.text
    assert 'value="hello"' in answer.text


async def test_what_employees_send_leaves_through_it_from_the_companys_address(omars, ours, submit, scripted, people):
    theirs = scripted.house.settings.model_copy(update={"placet_allowed_hosts": f"{ours.place},{_shop(scripted)}"})
    scripted.house = replace(scripted.house, settings=theirs, http=way_out(theirs))
    await submit(omars, URL, URL, **entry(ours))
    await scripted.give(people, [mail("Dear Emma, here is your cup.")], [words()])
    ((request, _),) = await scripted.pending(people.company)
    assert "hello@<wbr>colibri.example" in (await omars.get(f"/requests/{request.id}")).text
    await scripted.answer(people.nadia, request.id, "approve")
    await scripted.work()
    (sent,) = ours.mails
    assert f"From: Camille <{FROM}>" in sent and "here is your cup" in sent
    assert scripted.mailbox.mails() == []


async def test_a_password_never_goes_out_in_the_clear(ours):
    """The other side says that it cannot speak in secret; only to a host that the operator named that is enough."""

    async def resolve(name: str) -> list[str]:
        return ["93.184.216.34"]

    guard = Guard(ports=MAIL_PORTS, resolve=resolve, lies_at=lambda ip, port: ("127.0.0.1", ours.port))
    values = entry(ours, mail_service="smtp.example.com:587")
    assert await try_mail(Http(guard), values) == NO_ANSWER
    assert ours.sign_ins == 0


async def test_removing_it_says_who_cannot_send_any_more(omars, ours, submit):
    await submit(omars, "/connections/shop", "/connections/shop", shop_url="https://shop.example", shop_key=KEY)
    await submit(omars, URL, URL, **entry(ours))
    page = (await omars.get(f"{URL}/remove")).text
    assert "send a mail" in page and "refund an order" not in page
    await submit(omars, f"{URL}/remove", f"{URL}/remove")
    assert "No mail can leave yet" in (await omars.get("/abilities")).text


def _shop(scripted) -> str:
    return scripted.house.settings.placet_shop_url.removeprefix("http://")


async def test_a_mail_service_that_says_nothing_is_left_in_time(monkeypatch):
    monkeypatch.setattr("app.connections.mail.SECONDS", 0.3)
    silent = await asyncio.start_server(lambda reader, writer: asyncio.sleep(5), "127.0.0.1", 0)
    place = f"127.0.0.1:{silent.sockets[0].getsockname()[1]}"
    assert await try_mail(Http(Guard([place])), entry(Server(), mail_service=place)) == NO_ANSWER
    silent.close()
