"""What becomes of a mail that arrives: one task, once; robots start nothing; a broken mail breaks nothing."""

import asyncio
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from app.content import seal
from app.conversations.arrive import arrive, by_a_robot, read
from app.conversations.html_text import to_text
from app.demo.mails import broken_cup
from tests.people import Cast
from tests.world import World


def parsed(raw: bytes) -> EmailMessage:
    return cast(EmailMessage, BytesParser(policy=policy.default).parsebytes(raw))


def address_of(people: Cast) -> str:
    return f"service.{people.company.hex[-12:]}@maison-colibri.example"


async def test_the_same_mail_many_times_at_once_is_one_task(world: World, people: Cast) -> None:
    """Fault E4."""
    await world.mail(people, broken_cup())
    again = [arrive(world.worker, broken_cup().as_bytes(), to=address_of(people).upper()) for _ in range(5)]
    assert await asyncio.gather(*again) == [True] * 5
    assert len(await world.runs(people.company)) == 1


async def test_another_mail_of_the_same_sender_is_another_task(world: World, people: Cast) -> None:
    await world.mail(people, broken_cup())
    other = broken_cup()
    other.replace_header("Message-ID", "<another@example.com>")
    await world.mail(people, other)
    assert len(await world.runs(people.company)) == 2


async def test_an_address_that_nobody_has_is_not_taken(world: World, people: Cast) -> None:
    await world.mail(people, broken_cup())
    for address in ("nobody@maison-colibri.example", "", "service@", f"{address_of(people)}.evil.example", "a\0b@c"):
        assert not await arrive(world.worker, broken_cup().as_bytes(), to=address)


ROBOTS = [
    ("Auto-Submitted", "auto-replied"),
    ("Auto-Submitted", "auto-generated; owner=x"),
    ("Precedence", "bulk"),
    ("Precedence", " List "),
    ("List-Id", "<news.example.org>"),
    ("Return-Path", "<>"),
]


@pytest.mark.parametrize(("header", "value"), ROBOTS)
async def test_a_robot_s_mail_is_acknowledged_and_starts_nothing(
    world: World, people: Cast, header: str, value: str
) -> None:
    await world.mail(people, broken_cup())
    robot = broken_cup()
    robot.replace_header("Message-ID", "<robot@example.com>")
    robot[header] = value
    assert await arrive(world.worker, robot.as_bytes(), to=address_of(people))
    assert len(await world.runs(people.company)) == 1


def test_a_person_s_mail_is_no_robot_s() -> None:
    mail = broken_cup()
    mail["Auto-Submitted"], mail["Precedence"] = "no", "normal"
    assert not by_a_robot(mail)


BROKEN = [
    b"",
    b"\xff\xfe\x00",
    b"From: emma@example.com\r\nSubject: =?utf-8?b?////?=\r\n\r\nHello",
    b"From: emma@example.com\r\nSubject: caf\xe9\r\nContent-Type: text/plain; charset=utf-8\r\n\r\ncaf\xe9",
    b"From: emma@example.com\r\nContent-Type: text/plain; charset=no-such\r\n\r\ncaf\xe9",
    b"From: emma@example.com\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--y\r\n\r\nnothing",
    b"From: emma@example.com\r\nContent-Type: multipart/alternative\r\n\r\nno boundary",
    b"From: emma@example.com\r\nContent-Type: message/rfc822\r\n\r\nFrom: x\r\n\r\ny",
    b"From: emma@example.com\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!",
    b"From: emma@example.com\r\nDate: Tue, 99 Foo 99999 99:99:99 +9999\r\n\r\nHello",
    b"From: emma@example.com\r\nMessage-ID: [\r\n\r\nHello",
    b"From: emma@example.com\r\nMessage-ID: <a@[\r\n\r\nHello",
    b'From: "Emma <emma@example.com>\r\nTo: :;\r\n\r\nHello',
    b"From: emma@example.com, tom@example.com\r\n\r\nHello",
    b"From: =?utf-8?q?Emma=0D=0ABcc:_x@example.org?= <emma@example.com>\r\n\r\nHello",
    b"Subject: no sender\r\n\r\nHello",
]


@pytest.mark.parametrize("raw", BROKEN)
def test_a_broken_mail_can_be_kept(raw: bytes) -> None:
    mail = parsed(raw)
    by_a_robot(mail)
    assert seal.canonical(cast(JsonValue, read(mail, raw)))


NAMES = st.sampled_from(["From", "To", "Subject", "Date", "Message-ID", "References", "Content-Type", "Precedence"])
ODD = [
    b"=?utf-8?q?=ff?=",
    b"<a@b>",
    b"text/html",
    b'multipart/mixed; boundary="',
    b"a@[",
    b"(((",
    b'"',
    b'x; charset="\xff',
]
VALUES = st.binary(max_size=40) | st.sampled_from(ODD)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(NAMES, VALUES), max_size=6), st.binary(max_size=80))
def test_whatever_comes_can_be_kept(headers: list[tuple[str, bytes]], body: bytes) -> None:
    raw = b"".join(name.encode() + b": " + value + b"\r\n" for name, value in headers) + b"\r\n" + body
    mail = parsed(raw)
    if not by_a_robot(mail):
        kept = read(mail, raw)
        assert seal.canonical(cast(JsonValue, kept))
        assert not set(str(kept["subject"]) + str(kept["from"]) + str(kept["message_id"])) & set("\r\n\0")


def test_a_mail_in_html_is_read_as_text() -> None:
    html = "<head><title>t<body><style>p{}</style><p>Dear <b>shop</b>,</p><script>x()</script><p>my cup&nbsp;broke</p>"
    raw = f"From: emma@example.com\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}".encode()
    assert read(parsed(raw), raw)["body"] == "Dear shop,\n\nmy cup broke"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<html><head><meta charset=utf-8><body>Hello", "Hello"),
        ("<script>a</script>Hello", "Hello"),
        ("<template><p>hidden</p></template>Hello", "Hello"),
        ("Hello<br>you<br/>there", "Hello\nyou\nthere"),
        ("<style>", ""),
        ("a < b & c", "a < b & c"),
    ],
)
def test_what_html_says(html: str, text: str) -> None:
    assert to_text(html) == text
