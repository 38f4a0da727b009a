"""Customers' mail comes in by SMTP: acknowledged when it is kept, and not before."""

from collections.abc import AsyncIterator
from email.message import EmailMessage
from uuid import uuid4

import aiosmtplib
import pytest
from sqlalchemy import func, make_url, select

from app.conversations.models import Mail
from app.database.transaction import Database
from app.employees.models import MailAddress
from app.errors import BadConfiguration
from app.listen import listen
from app.settings import Settings
from app.worker.intake import LARGEST_MAIL, MOST_RECIPIENTS, serve, take_mail_in
from tests.people import Cast


@pytest.fixture
async def address(owner: Database, people: Cast) -> str:
    """An address of Camille's."""
    address = f"service-{uuid4().hex}@maison-colibri.example"
    async with owner.tenant(people.company) as session:
        session.add(MailAddress(tenant_id=people.company, address=address, agent_id=people.camille))
    return address


@pytest.fixture
async def post(worker: Database) -> AsyncIterator[aiosmtplib.SMTP]:
    """A customer's mail server, connected to ours."""
    listening = listen("127.0.0.1", 0)
    server = await serve(worker, listening)
    async with connected(listening.getsockname()[1]) as sender:
        yield sender
    server.close()


def connected(port: int) -> aiosmtplib.SMTP:
    return aiosmtplib.SMTP(hostname="127.0.0.1", port=port, use_tls=False, start_tls=False)


def mail(to: str, body: str = "One cup is broken.\n") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "emma.walsh@example.com", to, "Order MC-1042"
    message["Message-ID"] = f"<{uuid4()}@example.com>"
    message.set_content(body)
    return message


async def kept(worker: Database, people: Cast) -> int:
    async with worker.tenant(people.company) as session:
        return int(await session.scalar(select(func.count()).select_from(Mail)) or 0)


async def test_what_is_acknowledged_is_kept(
    post: aiosmtplib.SMTP, worker: Database, people: Cast, address: str
) -> None:
    _, answer = await post.send_message(mail(address))
    assert answer.startswith("2.0.0") and await kept(worker, people) == 1


async def test_the_same_mail_twice_is_one(post: aiosmtplib.SMTP, worker: Database, people: Cast, address: str) -> None:
    once = mail(address)
    await post.send_message(once)
    await post.send_message(once)
    assert await kept(worker, people) == 1


async def test_an_address_that_nobody_has_is_refused_for_good(post: aiosmtplib.SMTP) -> None:
    with pytest.raises(aiosmtplib.SMTPDataError) as refused:
        await post.send_message(mail("nobody@maison-colibri.example"))
    assert refused.value.code == 550


async def test_without_its_database_it_asks_to_try_again_later(address: str) -> None:
    nowhere = Database(make_url("postgresql+psycopg://x@127.0.0.1:1/x"), "s" * 40, pool_size=1)
    listening = listen("127.0.0.1", 0)
    server = await serve(nowhere, listening)
    async with connected(listening.getsockname()[1]) as sender:
        with pytest.raises(aiosmtplib.SMTPDataError) as refused:
            await sender.send_message(mail(address))
    server.close()
    await nowhere.close()
    assert refused.value.code == 451


async def test_a_mail_that_is_too_large_is_refused(
    post: aiosmtplib.SMTP, worker: Database, people: Cast, address: str
) -> None:
    with pytest.raises(aiosmtplib.SMTPResponseException) as refused:
        await post.send_message(mail(address, "x" * 900 + "\n" * (LARGEST_MAIL + 1)))
    assert refused.value.code == 552 and await kept(worker, people) == 0


async def test_nobody_sends_to_a_crowd(post: aiosmtplib.SMTP, address: str) -> None:
    others = [f"{number}@maison-colibri.example" for number in range(MOST_RECIPIENTS)]
    refused, _ = await post.send_message(mail(address), recipients=[address, *others])
    assert [answer.code for answer in refused.values()] == [452]


@pytest.mark.parametrize("where", ["2525", "localhost", "localhost:smtp"])
async def test_an_address_without_a_port_is_named(where: str, settings: Settings) -> None:
    with pytest.raises(BadConfiguration, match="PLACET_MAIL_IN"):
        async with take_mail_in(settings.model_copy(update={"placet_mail_in": where})):
            raise AssertionError("it listens")
