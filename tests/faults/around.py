"""What stands around a worker: model, shop and mail server, which can kill it when something has reached them.

These are the moments that nobody inside the worker can name: the other side has it, and the worker does not know.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.demo.mailbox.faults import Fault, Faults, Moment
from app.demo.mailbox.smtp import serve_smtp
from app.demo.mailbox.store import Mailbox
from app.demo.one_file import open_file, writing
from app.demo.serving import listen
from app.demo.shop.application import create_app as create_shop
from app.model.practice.server import create_app as create_practice
from app.settings import Settings

SHOP_KEY = "a key of the shop in tests"
OUTSIDE = (
    "model_asked",
    "model_answered",
    "shop_read",
    "refund_asked",
    "refund_booked",
    *(f"smtp_{moment.value.lower()}" for moment in Moment),
)


@dataclass
class Watch:
    """Who is told when something has reached the other side."""

    hits: Counter[str] = field(default_factory=Counter)
    tell: Callable[[str], None] = lambda name: None

    def reach(self, name: str) -> None:
        """This happened."""
        self.hits[name] += 1
        self.tell(name)


class WatchedFaults(Faults):
    """The mail server's moments, told before anything goes wrong or right."""

    def __init__(self, watch: Watch) -> None:
        super().__init__([])
        self._watch = watch

    def take(self, moment: Moment) -> Fault | None:
        """As the mail server asks."""
        self._watch.reach(f"smtp_{moment.value.lower()}")
        return super().take(moment)


@dataclass
class Around:
    """The servers, their own books, and their faults."""

    watch: Watch
    mailbox: Mailbox
    faults: WatchedFaults
    slow_model: list[float]  # seconds that the next answers take
    no_answer_from_shop: list[int]  # how many bookings are done and not answered
    mail_file: Path
    shop_file: Path
    model_url: str
    shop_url: str
    smtp_url: str

    def settings(self, settings: Settings, **more: object) -> Settings:
        """The settings of a worker among them."""
        urls = {"anthropic_base_url": self.model_url, "placet_shop_url": self.shop_url, "smtp_url": self.smtp_url}
        ours = {"placet_model": "practice-model", "placet_shop_key": SHOP_KEY, "mail_from": "service@example.com"}
        return settings.model_copy(update={**urls, **ours, **more})

    def add_order(self, number: str, email: str) -> None:
        """An order of two cups: one can be refunded, and the shop would take a second refund too."""
        with open_file(self.shop_file) as connection, writing(connection):
            row = (number, "Emma Walsh", email, "delivered", "2026-11-20", 4900, "", "")
            connection.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            connection.execute("INSERT INTO items VALUES (?, 0, 'Tea cup, blue', 2, 2450)", (number,))

    def mails(self) -> list[tuple[str, str]]:
        """Message-ID and recipient of every arrival, by the mail server's own books."""
        with open_file(self.mail_file) as connection:
            rows = connection.execute("SELECT message_id, recipients FROM mails").fetchall()
        return [(row["message_id"], row["recipients"]) for row in rows]

    def refunds(self) -> Counter[str]:
        """How many refunds of each order stand in the shop's books."""
        with open_file(self.shop_file) as connection:
            return Counter(row["number"] for row in connection.execute("SELECT number FROM refunds"))

    async def bad_requests(self) -> tuple[int, int]:
        """By the model server's own count: requests, and how many of them were invalid."""
        async with httpx2.AsyncClient(base_url=self.model_url) as client:
            counted = (await client.get("/practice/requests")).json()
        return int(counted["requests"]), int(counted["status_400"])

    def model(self, app: Starlette) -> ASGIApp:
        """The practice model, watched, and now and then slow."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            asked = scope.get("path") == "/v1/messages"
            if asked:
                self.watch.reach("model_asked")
                await asyncio.sleep(self.slow_model.pop() if self.slow_model else 0)
            await app(scope, receive, send)
            if asked:
                self.watch.reach("model_answered")

        return watched

    def shop(self, app: Starlette) -> ASGIApp:
        """The shop, watched before and after it books."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            books = scope.get("method") == "POST"

            async def answer(message: Message) -> None:
                if books and message["type"] == "http.response.start":
                    self.watch.reach("refund_booked")
                    if self.no_answer_from_shop:
                        self.no_answer_from_shop.pop()
                        raise ConnectionAbortedError("ordered by a test: booked, and no answer")
                await send(message)

            if scope["type"] == "http":
                self.watch.reach("refund_asked" if books else "shop_read")
            await app(scope, receive, answer)

        return watched


@asynccontextmanager
async def open_around(folder: Path) -> AsyncIterator[Around]:
    """Start them on free ports, and stop them."""
    sockets = [listen(0) for _ in range(3)]
    model, shop, smtp = (one.getsockname()[1] for one in sockets)
    watch, mail_file, shop_file = Watch(), folder / "mailbox.sqlite", folder / "shop.sqlite"
    mailbox = Mailbox(mail_file)
    faults = WatchedFaults(watch)
    urls = (f"http://127.0.0.1:{model}", f"http://127.0.0.1:{shop}", f"smtp://127.0.0.1:{smtp}")
    around = Around(watch, mailbox, faults, [], [], mail_file, shop_file, *urls)
    servers = [_server(around.model(create_practice())), _server(around.shop(create_shop(shop_file, SHOP_KEY)))]
    tasks = [asyncio.create_task(s.serve(sockets=[one])) for s, one in zip(servers, sockets[:2], strict=True)]
    mail = await serve_smtp(mailbox, sockets[2], faults)
    while not all(server.started for server in servers):
        await asyncio.sleep(0.01)
    yield around
    for server in servers:
        server.should_exit = True
    await asyncio.gather(*tasks)
    mail.close()
    await mail.wait_closed()


def _server(app: ASGIApp) -> uvicorn.Server:
    return uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))


def free_port() -> int:
    """A port at which nobody listens now."""
    with listen(0) as one:
        return int(one.getsockname()[1])
