"""Does `ctx.http` keep to its bounds, and does one know afterwards what is known?"""

import asyncio
import gzip
import time
import tracemalloc
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import pytest

from app.errors import OutcomeUnknown, ToolError
from app.tools.addresses import Refused
from app.tools.going_out import Guard, NoAnswer, NotSent, Unanswered
from app.tools.http import Http
from tests.corpora.listener import Listener, Seen, answer
from tests.tools.world import ELSEWHERE, PUBLIC, SITE, World

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.1/", "http://10.0.0.1/", "//127.0.0.1/x", "http://2130706433/", "http://[::ffff:7f00:1]/",
     "http://169.254.169.254/latest/meta-data/", "http://localhost./", "file:///etc/passwd", "gopher://127.0.0.1:6379/",
     "javascript:alert(1)", "http:127.0.0.1", "http://a@127.0.0.1/", f"http://{SITE}:22/", "\\\\127.0.0.1\\x"],
)  # fmt: skip
async def test_a_redirect_to_a_forbidden_place_is_refused(world: World, location: str) -> None:
    world.listener.reply = lambda _: answer(b"", "302 Found", f"Location: {location}".encode())

    with pytest.raises(Refused):
        await world.http().get(f"http://{SITE}/")
    assert world.listener.connections == 1


async def test_a_redirect_from_https_to_http_is_refused(world: World) -> None:
    world.listener.reply = lambda _: answer(b"", "301 Moved", f"Location: http://{SITE}/".encode())

    with pytest.raises(Refused, match="secure"):
        await world.http().get(f"https://{SITE}/")
    assert world.listener.connections == 1


async def test_redirects_are_followed_five_times(world: World) -> None:
    def lead_on(seen: Seen) -> list[bytes]:
        hop = int(seen.head.split()[1].removeprefix("/"))
        return answer(b"there") if hop == 5 else answer(b"", "302 Found", f"Location: /{hop + 1}".encode())

    world.listener.reply = lead_on
    assert (await world.http().get(f"http://{SITE}/0")).text == "there"

    with pytest.raises(Refused, match="on and on"):
        await world.http().get(f"http://{SITE}/-1")


async def test_keys_do_not_travel_to_another_place(world: World) -> None:
    there = f"Location: http://{ELSEWHERE}/".encode()
    world.listener.reply = lambda seen: answer(b"", "307 x", there) if seen.header("host") == SITE else answer()

    await world.http().get(f"http://{SITE}/", headers={"Authorization": "Bearer s", "X-Api-Key": "s", "Accept": "a/b"})

    first, second = world.listener.seen
    assert (first.header("authorization"), first.header("x-api-key")) == ("Bearer s", "s")
    assert (second.header("authorization"), second.header("x-api-key")) == (None, None)
    assert second.header("accept") == "a/b"


@pytest.mark.parametrize("status", ["301 x", "302 x", "303 x", "307 x", "308 x"])
async def test_what_changes_something_goes_to_one_place_only(world: World, status: str) -> None:
    world.listener.reply = lambda _: answer(b"", status, f"Location: http://{ELSEWHERE}/".encode())

    got = await world.http().post(f"http://{SITE}/", json={"amount": "10"})

    assert (got.status_code, world.listener.connections) == (int(status[:3]), 1)


LIMIT: Final = 64 * 1024


async def test_a_body_of_the_longest_length_is_whole_and_one_byte_more_is_cut(world: World) -> None:
    for size, note in ((LIMIT, ""), (LIMIT + 1, "longer than")):
        body = b"x" * size
        world.listener.reply = partial(lambda body, _: answer(body), body)
        got = await world.http(max_bytes=LIMIT).get(f"http://{SITE}/")

        assert len(got.body) == LIMIT
        assert (note in got.note) and bool(got.note) == bool(note)


async def test_an_endless_body_is_cut_and_left(world: World) -> None:
    def endless(_: Seen) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n\r\n"
        while True:
            yield b"x" * 65536

    world.listener.reply = endless
    got = await world.http(max_bytes=LIMIT).get(f"http://{SITE}/")

    assert (len(got.body), "longer than" in got.note) == (LIMIT, True)
    await asyncio.sleep(0.2)
    sent = world.listener.bytes_sent
    await asyncio.sleep(0.1)
    assert world.listener.bytes_sent == sent < 32 * 1024 * 1024  # what the sockets buffer, and then no more


async def test_a_compression_bomb_does_not_fill_the_memory(world: World) -> None:
    """T3: 200 MiB in 200 KiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    bomb = b"".join([*(packer.compress(bytes(1024 * 1024)) for _ in range(200)), packer.flush()])
    world.listener.reply = lambda _: answer(bomb, "200 OK", b"Content-Encoding: gzip")
    tracemalloc.start()
    try:
        got = await world.http().get(f"http://{SITE}/")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (len(got.body), "longer than 2 MiB" in got.note) == (2 * 1024 * 1024, True)
    assert peak < 24 * 1024 * 1024


async def test_a_packed_body_that_never_unpacks_to_anything_is_cut(world: World) -> None:
    def nothing(_: Seen) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10]
        while True:
            yield b"\x00\x00\x00\xff\xff" * 10000  # empty stored blocks

    world.listener.reply = nothing
    got = await world.http(max_bytes=LIMIT).get(f"http://{SITE}/")

    assert (got.body, "longer than" in got.note) == (b"", True)


async def test_a_packed_answer_is_unpacked(world: World) -> None:
    world.listener.reply = lambda _: answer(gzip.compress(b'{"a": 1}'), "200 OK", b"Content-Encoding: gzip")
    assert (await world.http().get(f"http://{SITE}/")).json() == {"a": 1}


@pytest.mark.parametrize("packing", [b"br", b"gzip, gzip", b"deflate"])
async def test_another_packing_is_said_and_not_read(world: World, packing: bytes) -> None:
    world.listener.reply = lambda _: answer(b"xyz", "200 OK", b"Content-Encoding: " + packing)
    got = await world.http().get(f"http://{SITE}/")
    assert (got.body, "packed" in got.note) == (b"", True)


def drip(_: Seen) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    for _drop in range(100):
        time.sleep(0.05)
        yield b"x"


async def test_a_slow_body_ends_at_the_deadline(world: World) -> None:
    world.listener.reply = drip
    started = time.monotonic()
    with pytest.raises(Unanswered, match="1 seconds"):
        await world.http(seconds=1).get(f"http://{SITE}/")  # the body takes five
    assert time.monotonic() - started < 4


async def test_a_slow_look_up_ends_at_the_deadline(world: World) -> None:
    async def never(_: str) -> Sequence[str]:
        await asyncio.sleep(60)
        return [PUBLIC]

    with pytest.raises(NotSent):
        await Http(Guard(resolve=never), seconds=0.2).get(f"http://{SITE}/")


async def test_nobody_there_means_not_sent(world: World) -> None:
    """T1."""
    with Listener() as closed:
        pass
    world.listener.port = closed.port
    with pytest.raises(NotSent):
        await world.http().post(f"http://{SITE}/", json={})


async def test_a_name_without_address_means_not_sent(world: World) -> None:
    with pytest.raises(NotSent):
        await world.http().post("http://nowhere.example.com/", json={})


@pytest.mark.parametrize(
    "reply",
    [
        [],
        [b"HTTP/1.1 200 OK\r\nContent-Le"],
        [b"nonsense\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"],
    ],
)
async def test_a_connection_that_breaks_after_sending_leaves_a_change_unknown(world: World, reply: list[bytes]) -> None:
    """T2."""
    world.listener.reply = lambda _: reply

    with pytest.raises(NoAnswer) as unknown:
        await world.http().post(f"http://{SITE}/", json={"a": 1})
    with pytest.raises(Unanswered):
        await world.http().get(f"http://{SITE}/")
    assert isinstance(unknown.value, OutcomeUnknown)
    assert not isinstance(unknown.value, ToolError)  # which would mean that nothing was done


async def test_a_late_answer_leaves_a_change_unknown(world: World) -> None:
    world.listener.reply = drip
    with pytest.raises(NoAnswer):
        await world.http(seconds=1).post(f"http://{SITE}/", json={"a": 1})


async def test_an_unreadable_answer_leaves_a_change_unknown(world: World) -> None:
    world.listener.reply = lambda _: answer(b"<html>", "500 Oh no")
    posted = await world.http().post(f"http://{SITE}/", json={"a": 1})
    read = await world.http().get(f"http://{SITE}/")

    with pytest.raises(OutcomeUnknown):
        posted.json()
    with pytest.raises(ToolError):
        read.json()
