"""What can a tool write into a request, and what does a library's own client get?"""

import gzip

import httpx2
import pytest

from app.tools.addresses import Refused
from tests.corpora.listener import answer
from tests.tools.world import SITE, World

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("name", "value"),
    [("X-A", "b\r\nHost: x"), ("X-A", "b\nc"), ("X-A", "b\x00"), ("X-A\r\nB", "c"), ("X A", "b"), ("", "b"),
     ("X:", "b"), ("X-A", "\xe9"), ("X-A", "\u010a"), ("Host", "internal"), ("HOST", "internal"),
     ("Transfer-Encoding", "chunked"), ("Content-Length", "0"), ("Connection", "x"),
     ("Proxy-Authorization", "x"), ("Cookie", "a=b"), ("Upgrade", "h2c")],
)  # fmt: skip
async def test_a_header_cannot_write_another_line_or_steer_the_connection(world: World, name: str, value: str) -> None:
    with pytest.raises(Refused):
        await world.http().get(f"http://{SITE}/", headers={name: value})
    with pytest.raises(Refused):
        world.http().client(headers={name: value})
    assert world.listener.connections == 0


@pytest.mark.parametrize("method", ["get", "CONNECT", "TRACE", "GET / HTTP/1.1\r\nX: y", ""])
async def test_only_known_ways_of_asking_are_used(world: World, method: str) -> None:
    with pytest.raises(Refused):
        await world.http().request(method, f"http://{SITE}/")


async def test_parameters_cannot_leave_the_query(world: World) -> None:
    await world.http().get(f"http://{SITE}/a?b=c", params={"q": "x y&z=1#f\r\nHost: i", "é": "@"})

    assert world.listener.seen[0].head.split("\r\n")[0].count(" ") == 2
    assert world.listener.seen[0].header("host") == SITE
    assert "&z=1" not in world.listener.seen[0].head


async def test_a_librarys_client_meets_the_same_refusals(world: World) -> None:
    async with world.http().client() as client:
        for url in (
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://u:p@127.0.0.1/",
            f"http://u:p@{SITE}/",
            f"http://{SITE}:22/",
            "ftp://x/",
        ):
            with pytest.raises(httpx2.TransportError):
                await client.get(url)
        assert world.listener.connections == 0
        assert (await client.get(f"https://{SITE}/")).text == "hello"


async def test_a_librarys_client_keeps_no_cookie_and_reads_no_more_than_the_bound(world: World) -> None:
    world.listener.reply = lambda _: answer(b"x" * 1000, "200 OK", b"Set-Cookie: a=b; Path=/")
    async with world.http().client(max_bytes=1000) as client:
        await client.get(f"http://{SITE}/")
        await client.get(f"http://{SITE}/")
        assert world.listener.seen[1].header("cookie") is None
        world.listener.reply = lambda _: answer(b"x" * 1001)
        with pytest.raises(httpx2.ReadError):
            await client.get(f"http://{SITE}/")
        world.listener.reply = lambda _: answer(gzip.compress(bytes(5000)), "200 OK", b"Content-Encoding: gzip")
        with pytest.raises(httpx2.ReadError):
            await client.get(f"http://{SITE}/")
