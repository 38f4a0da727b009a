"""Does anything leave the house to where it may not go?"""

import asyncio
from typing import Final

import pytest

from app.errors import BadConfiguration
from app.tools import going_out
from app.tools.addresses import Refused
from app.tools.going_out import Guard, NotSent
from app.tools.http import Http
from tests.corpora import ssrf
from tests.corpora.listener import Listener, answer
from tests.tools.world import PUBLIC, SITE, World

pytestmark = pytest.mark.anyio


async def test_the_connection_goes_to_the_address_that_was_checked(world: World) -> None:
    """T4: a second look-up would have said 127.0.0.1."""
    world.names[SITE] = [[PUBLIC], ["127.0.0.1"]]

    got = await world.http().get(f"https://{SITE}/a?b=c")

    assert (got.status_code, got.text) == (200, "hello")
    assert (world.asked, world.dialled) == ([SITE], [(PUBLIC, 443)])
    assert world.listener.seen[0].head.startswith("GET /a?b=c HTTP/1.1")
    assert world.listener.seen[0].header("host") == SITE
    assert world.listener.seen[0].secure


async def test_each_request_checks_again(world: World) -> None:
    world.names[SITE] = [[PUBLIC], ["127.0.0.1"]]
    http = world.http()
    await http.get(f"http://{SITE}/")

    with pytest.raises(Refused):
        await http.get(f"http://{SITE}/")
    assert world.listener.connections == 1


@pytest.mark.parametrize("bad", ["127.0.0.1", "10.0.0.5", "::1", "::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe", "fe80::1%2"])
async def test_one_bad_address_among_good_ones_refuses_all(world: World, bad: str) -> None:
    world.names[SITE] = [[PUBLIC, bad]]

    with pytest.raises(Refused):
        await world.http().get(f"http://{SITE}/")
    assert (world.dialled, world.listener.connections) == ([], 0)


async def test_the_next_address_is_tried_when_one_does_not_answer(world: World) -> None:
    world.names[SITE] = [["2400::1", PUBLIC]]
    closed = Listener()
    with closed:
        pass
    guard = Guard(
        resolve=world.resolve,
        lies_at=lambda ip, port: ("127.0.0.1", closed.port if ":" in ip else world.listener.port),
    )

    assert (await Http(guard).get(f"http://{SITE}/")).status_code == 200


@pytest.mark.parametrize("port", [21, 22, 25, 6379, 5432, 9200, 11211])
async def test_ports_of_other_services_are_refused(world: World, port: int) -> None:
    with pytest.raises(Refused):
        await world.http().get(f"http://{SITE}:{port}/")
    assert world.listener.connections == 0


async def test_a_certificate_of_somebody_else_is_refused_before_anything_is_sent(world: World) -> None:
    world.names["other.example.com"] = [[PUBLIC]]

    with pytest.raises(NotSent):
        await world.http().post("https://other.example.com/", json={"a": 1})
    assert world.listener.seen == []


async def test_a_proxy_of_the_environment_is_not_used(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with Listener() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        await world.http().get(f"http://{SITE}/")
        async with world.http().client() as client:
            await client.get(f"http://{SITE}/")

        assert (proxy.connections, world.listener.connections) == (0, 2)


async def test_a_named_private_host_is_reached_on_its_port_only(world: World) -> None:
    http = world.http("localhost:9090", "127.0.0.1:9091")
    world.names["localhost"] = [["127.0.0.1"]]

    assert (await http.get("http://localhost:9090/")).status_code == 200
    assert (await http.get("http://127.0.0.1:9091/")).status_code == 200
    for other in ("http://localhost/", "http://localhost:9091/", "http://127.0.0.1:9090/", "http://127.0.0.2:9091/"):
        with pytest.raises(Refused):
            await http.get(other)
    assert world.listener.connections == 2


async def test_a_named_host_that_leads_to_metadata_is_refused(world: World) -> None:
    world.names["mail.house"] = [["169.254.169.254"]]

    with pytest.raises(Refused):
        await world.http("mail.house").get("http://mail.house/")


async def test_a_public_page_cannot_lead_to_a_named_private_host(world: World) -> None:
    world.listener.reply = lambda _: answer(b"", "302 Found", b"Location: http://shop.house/refund")
    world.names["shop.house"] = [["10.0.0.5"]]

    with pytest.raises(Refused):
        await world.http("shop.house").get(f"http://{SITE}/")
    assert world.dialled == [(PUBLIC, 80)]


async def test_the_public_guard_knows_no_private_host(world: World) -> None:
    world.names["shop.house"] = [["10.0.0.5"]]

    with pytest.raises(Refused):
        await Http(world.guard("shop.house").public()).get("http://shop.house/")


@pytest.mark.parametrize("written", ["", "user@host", "http://host", "0x7f.1", "host:80:80", "[::1"])
def test_a_private_host_that_cannot_be_read_refuses_the_start(written: str) -> None:
    with pytest.raises(BadConfiguration):
        Guard([written])


async def test_a_named_host_on_ipv6_is_reached() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer(b"six")[0])
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "::1", 0) as server:
        port = server.sockets[0].getsockname()[1]

        assert (await Http(Guard([f"[::1]:{port}"])).get(f"http://[::1]:{port}/")).text == "six"
        with pytest.raises(Refused):
            await Http(Guard()).get(f"http://[::1]:{port}/")


async def test_a_mail_server_is_reached_through_the_same_guard(world: World) -> None:
    world.names["mail.example.com"] = [[PUBLIC]]
    guard = world.guard()
    reader, writer = await guard.connect("mail.example.com", 993, seconds=5, secure=True)
    writer.write(b"HELLO\r\n\r\n")
    assert (await reader.readuntil(b"hello")).endswith(b"hello")
    writer.close()

    for host, port in (
        ("127.0.0.1", 25),
        ("localhost", 25),
        ("0x7f.1", 25),
        ("mail.example.com", 6379),
        ("10.0.0.1", 587),
    ):
        with pytest.raises(Refused):
            await guard.connect(host, port, seconds=5)
    assert (world.dialled, world.listener.connections) == ([(PUBLIC, 993)], 1)


async def test_a_mail_server_with_the_certificate_of_somebody_else_is_refused(world: World) -> None:
    world.names["other.example.com"] = [[PUBLIC]]
    with pytest.raises(NotSent):
        await world.guard().connect("other.example.com", 465, seconds=5, secure=True)


ROWS: Final[list[ssrf.Row]] = [
    {"id": "1", "url": "http://127.0.0.1/", "must": "block", "category": "loopback"},
    {"id": "2", "url": "http://a.test.example/", "must": "block", "category": "dns",
     "dns": {"a.test.example": ["10.0.0.5"]}},
    {"id": "3", "url": f"https://{SITE}/", "must": "allow", "category": "public-name", "dns": {SITE: [PUBLIC]}},
    {"id": "4", "url": f"http://{SITE}/", "must": "block", "category": "redirect",
     "dns": {SITE: [PUBLIC]}, "redirects": ["http://10.0.0.1/"]},
]  # fmt: skip


def test_the_evidence_set_is_judged_and_a_blind_guard_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ssrf.report(ROWS) == {"block": 3, "missed": 0, "allow": 1, "allowed": 1}

    monkeypatch.setattr(going_out, "refuse_reason", lambda _: None)
    assert ssrf.report(ROWS) == {"block": 3, "missed": 3, "allow": 1, "allowed": 1}


def test_a_guard_that_refuses_everything_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(going_out, "refuse_reason", lambda _: "no")
    assert ssrf.report(ROWS)["allowed"] == 0
