"""The mailbox keeps every mail that it acknowledged, counts copies, and fails as a test asks."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from email.message import EmailMessage
from pathlib import Path

import aiosmtplib
import httpx2
import pytest
from starlette.applications import Starlette

from app.demo.mailbox.application import create_app
from app.demo.mailbox.faults import Fault, Faults, Moment
from app.demo.mailbox.smtp import serve_smtp
from app.demo.mailbox.store import Mailbox
from app.demo.serving import HOST, listen

Serve = Callable[[Starlette], AbstractContextManager[str]]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    return Mailbox(tmp_path / "mails.sqlite")


@asynccontextmanager
async def accepting(mailbox: Mailbox, *faults: Fault) -> AsyncIterator[int]:
    listening = listen(0)
    server = await serve_smtp(mailbox, listening, Faults(list(faults)))
    try:
        yield listening.getsockname()[1]
    finally:
        server.close()


def letter(*, subject: str = "Your cup", message_id: str = "<1@placet>", body: str = "Dear Emma,\n") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Maison Colibri <service@maison-colibri.example>"
    message["To"] = "emma.walsh@example.com"
    message["Subject"] = subject
    message["Message-ID"] = message_id
    message.set_content(body)
    return message


async def send(port: int, *messages: EmailMessage, to: list[str] | None = None) -> None:
    for message in messages:
        await aiosmtplib.send(message, recipients=to, hostname=HOST, port=port, timeout=5)


def sent(mailbox: Mailbox, *messages: EmailMessage) -> None:
    async def go() -> None:
        async with accepting(mailbox) as port:
            await send(port, *messages)

    asyncio.run(go())


def outcome(mailbox: Mailbox, fault: Fault) -> BaseException | None:
    """What the sender of one mail gets to see."""

    async def go() -> BaseException | None:
        async with accepting(mailbox, fault) as port:
            (result,) = await asyncio.gather(send(port, letter()), return_exceptions=True)
            return result

    return asyncio.run(go())


def test_a_mail_is_shown_as_it_was_sent(mailbox: Mailbox, serve: Serve) -> None:
    sent(mailbox, letter(subject="Votre théière", body="Chère Emma,\n.une ligne qui commence par un point\n"))
    with serve(create_app(mailbox)) as address:
        (mail,) = httpx2.get(f"{address}/api/mails").json()["mails"]
        page = httpx2.get(f"{address}/mails/{mail['number']}")
    assert {name: mail[name] for name in ("message_id", "from", "to", "recipients", "subject", "times")} == {
        "message_id": "<1@placet>",
        "from": "Maison Colibri <service@maison-colibri.example>",
        "to": "emma.walsh@example.com",
        "recipients": ["emma.walsh@example.com"],
        "subject": "Votre théière",
        "times": 1,
    }
    assert mail["body"] == "Chère Emma,\n.une ligne qui commence par un point\n"
    assert mail["received_at"].startswith(time.strftime("%Y-", time.gmtime()))
    assert "Chère Emma" in page.text


def test_the_same_message_id_twice_is_one_mail_that_came_twice(mailbox: Mailbox) -> None:
    sent(mailbox, letter(), letter(), letter(message_id="<2@placet>"))
    assert [(mail.message_id, mail.times) for mail in mailbox.mails()] == [("<2@placet>", 1), ("<1@placet>", 2)]
    assert (mailbox.times("<1@placet>"), mailbox.times("<3@placet>")) == (2, 0)


def test_a_hidden_copy_is_seen(mailbox: Mailbox) -> None:
    async def go() -> None:
        async with accepting(mailbox) as port:
            await send(port, letter(), to=["emma.walsh@example.com", "hidden@example.org"])

    asyncio.run(go())
    assert mailbox.mails()[0].recipients == ("emma.walsh@example.com", "hidden@example.org")


def test_html_in_a_mail_is_text_on_the_page(mailbox: Mailbox, serve: Serve) -> None:
    sent(mailbox, letter(subject="<script>alert(1)</script>", body="<img src=x onerror=alert(1)>\n"))
    with serve(create_app(mailbox)) as address:
        pages = [httpx2.get(f"{address}{path}") for path in ("/", "/mails/1")]
    for page in pages:
        assert "<script" not in page.text and "<img" not in page.text and "&lt;script" in page.text
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"no header at all",
        b"Subject: =?x-unknown?b?4pyT?=\r\nContent-Type: text/plain; charset=x-unknown\r\n\r\n\xff\xfe",
        b"Subject: =?utf-8?b?!?=\r\nMessage-ID: <[broken\r\nFrom: \xff\r\n\r\nbody",
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n",
    ],
)
def test_a_mail_that_is_no_mail_is_kept_and_shown(mailbox: Mailbox, serve: Serve, raw: bytes) -> None:
    mailbox.keep(raw, ["emma.walsh@example.com"])
    with serve(create_app(mailbox)) as address:
        assert [httpx2.get(f"{address}{path}").status_code for path in ("/", "/mails/1", "/api/mails")] == [200] * 3


def test_what_is_not_there_is_said_in_the_reader_s_language(mailbox: Mailbox, serve: Serve) -> None:
    with serve(create_app(mailbox)) as address:
        french = {"Accept-Language": "fr"}
        assert "Aucun e-mail" in httpx2.get(address, headers=french).text
        for number in (7, 2**63, 2**70):
            missing = httpx2.get(f"{address}/mails/{number}", headers=french)
            assert missing.status_code == 404 and "n’existe pas" in missing.text
        assert httpx2.get(address, headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("moment", list(Moment))
def test_a_refusal_at_any_moment_is_seen_by_the_sender_and_nothing_is_kept(mailbox: Mailbox, moment: Moment) -> None:
    seen = outcome(mailbox, Fault(moment, reply="451 4.3.0 Later", times=2))  # a sender falls back to HELO after EHLO
    assert isinstance(seen, aiosmtplib.SMTPException)
    assert mailbox.mails() == []


def test_a_permanent_refusal_carries_its_code(mailbox: Mailbox) -> None:
    seen = outcome(mailbox, Fault(Moment.DOT, reply="554 5.7.1 Not wanted"))
    assert isinstance(seen, aiosmtplib.SMTPDataError) and seen.code == 554


def test_a_reply_lost_after_the_dot_leaves_the_mail_here_and_the_sender_unsure(mailbox: Mailbox) -> None:
    seen = outcome(mailbox, Fault(Moment.DOT, drop=True))
    assert isinstance(seen, aiosmtplib.SMTPServerDisconnected)
    assert mailbox.times("<1@placet>") == 1


def test_a_line_cut_before_the_dot_leaves_nothing(mailbox: Mailbox) -> None:
    for moment in (Moment.EHLO, Moment.MAIL, Moment.RCPT, Moment.DATA):
        assert isinstance(outcome(mailbox, Fault(moment, drop=True)), aiosmtplib.SMTPServerDisconnected)
    assert mailbox.mails() == []


def test_a_fault_strikes_as_often_as_asked_and_then_it_works(mailbox: Mailbox) -> None:
    async def go() -> list[BaseException | None]:
        async with accepting(mailbox, Fault(Moment.RCPT, reply="450 4.2.1 Busy", times=2)) as port:
            return [(await asyncio.gather(send(port, letter()), return_exceptions=True))[0] for _ in range(3)]

    assert [result is None for result in asyncio.run(go())] == [False, False, True]
    assert mailbox.times("<1@placet>") == 1


def test_a_delay_is_a_delay(mailbox: Mailbox) -> None:
    began = time.monotonic()
    assert outcome(mailbox, Fault(Moment.DOT, delay=0.3)) is None
    assert time.monotonic() - began >= 0.3 and mailbox.times("<1@placet>") == 1


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    with listen(0) as one, listen(0) as two:
        ports = one.getsockname()[1], two.getsockname()[1]
    command = [sys.executable, "-m", "app.demo.mailbox", "--port", str(ports[0]), "--smtp-port", str(ports[1])]
    process = subprocess.Popen([*command, "--database", str(tmp_path / "mails.sqlite")], cwd=ROOT)
    try:
        wait_for(ports[0])
        asyncio.run(send(ports[1], letter()))
    finally:
        process.kill()
        process.wait()
    assert Mailbox(tmp_path / "mails.sqlite").times("<1@placet>") == 1


def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection((HOST, port)).close()
            return
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError("the mailbox does not answer")
