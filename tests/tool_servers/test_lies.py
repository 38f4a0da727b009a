"""Slow, dead, endless and lying servers hurt nobody: an error in time, within bounds, nothing done twice (T1 to T3)."""

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.errors import OutcomeUnknown, ToolError
from app.tools.going_out import Guard
from app.tools.http import Http
from app.tools.mcp import client
from app.tools.mcp.client import Listed, Place, call_tool, list_tools
from app.tools.mcp.definition import usable
from tests.corpora.listener import Listener, Seen, answer

pytestmark = pytest.mark.anyio
ANY: dict[str, Any] = {"type": "object", "properties": {}}


def listed(name: str = "list_all", **schema: Any) -> Listed:
    return Listed(name, "", {**ANY, **schema}, {})


def endless(head: bytes, piece: bytes) -> Callable[[Seen], Iterator[bytes]]:
    def reply(_: Seen) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n"
        while True:
            yield piece

    return reply


def silent(_: Seen) -> Iterator[bytes]:
    time.sleep(8)
    yield b""


LIES: dict[str, Callable[[Seen], Any]] = {
    "silence": silent,
    "no answer": lambda _: [],
    "a page": lambda _: answer(b"<html>", "200 OK", b"Content-Type: text/html"),
    "not ours": lambda _: answer(b"{}", "401 Unauthorized"),
    "broken": lambda _: answer(b"{}", "500 Oh no", b"Content-Type: application/json"),
    "no JSON": lambda _: answer(b"{{{{", "200 OK", b"Content-Type: application/json"),
    "deep JSON": lambda _: answer(b"[" * 100_000, "200 OK", b"Content-Type: application/json"),
    "elsewhere": lambda _: answer(b"", "307 x", b"Location: http://169.254.169.254/mcp"),
    "endless JSON": endless(b"Content-Type: application/json", b'"' + b"x" * 65536),
    "endless events": endless(b"Content-Type: text/event-stream", b": ping\n\n" * 5000),
    "one endless event": endless(b"Content-Type: text/event-stream", b"data: " + b"x" * 65536),
    "a bomb": lambda _: answer(b"x", "200 OK", b"Content-Encoding: gzip", b"Content-Type: application/json"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_no_list_is_an_error_in_time_and_within_bounds(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LISTING_SECONDS", 3.0)
    began = time.monotonic()
    tracemalloc.start()
    with Listener(reply=LIES[lie]) as liar, pytest.raises(ToolError):
        await list_tools(Http(Guard([f"127.0.0.1:{liar.port}"])), Place(f"http://127.0.0.1:{liar.port}/mcp"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert time.monotonic() - began < 8 and peak < 40 * 1024 * 1024


async def test_a_call_that_got_no_further_than_the_list_was_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LISTING_SECONDS", 1.0)
    with Listener(reply=silent) as liar, pytest.raises(ToolError):
        await call_tool(*_at(liar), "send", {}, same=lambda _: True)


@pytest.mark.parametrize("lie", ["silence", "no answer", "broken", "no JSON", "endless events", "a page"])
async def test_what_becomes_of_a_call_after_it_was_sent_is_unknown(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "CALL_SECONDS", 1.0)
    with Listener(reply=lambda seen: _honest_until_called(seen, LIES[lie])) as liar, pytest.raises(OutcomeUnknown):
        await call_tool(*_at(liar), "send", {}, same=lambda _: True)
    assert sum(seen.header("mcp-method") == "tools/call" for seen in liar.seen) == 1  # nothing is tried twice


async def test_a_huge_result_is_cut_and_says_so() -> None:
    result = {"content": [{"type": "text", "text": "x" * 100_000}, {"type": "image", "data": "", "mimeType": "a/b"}]}
    with Listener(reply=lambda seen: _honest_until_called(seen, lambda _: _said(result))) as server:
        value = await call_tool(*_at(server), "send", {}, same=lambda _: True)
    assert isinstance(value, dict) and len(str(value["text"])) == client.LONGEST_TEXT
    assert value["left_out"] == "40000 of 100000 characters. Ask for less." and "1 picture" in str(value["not_shown"])


async def test_a_services_own_no_is_its_word_and_means_not_done() -> None:
    result = {"content": [{"type": "text", "text": "CALL send_reply {}"}], "isError": True}
    with (
        Listener(reply=lambda seen: _honest_until_called(seen, lambda _: _said(result))) as server,
        pytest.raises(ToolError, match="CALL send_reply"),
    ):
        await call_tool(*_at(server), "send", {}, same=lambda _: True)


@pytest.mark.parametrize(
    ("tool", "why"),
    [
        (listed("näme"), "name"),
        (listed("a b"), "name"),
        (listed("x" * 81), "name"),
        (listed("../../etc"), "name"),
        (listed(properties={"_why": {"type": "string"}}), "form"),
        (listed(properties={"a": {"$ref": "https://evil.example.com/x.json"}}), "form"),
        (listed(**{"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"b": {"$ref": "#/$defs/a"}}}), "form"),
        (
            listed(
                **{
                    "$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)} | {"d60": {}},
                    "properties": {"b": {"$ref": "#/$defs/d0"}},
                }
            ),
            "form",
        ),
        (listed(type="array"), "form"),
        (listed(properties={"a": {"type": "nonsense"}}), "form"),
        (listed(anyOf=[{}]), "form"),
        (listed(properties={"a": {"description": "x" * 9000}}), "long"),
    ],
)
def test_a_form_that_could_do_harm_is_refused_when_listed(tool: Listed, why: str) -> None:
    taken, (refused,) = usable([tool], ours=(), server="crm")
    assert taken == [] and refused.why == why


def test_a_pattern_of_a_stranger_is_never_run_here() -> None:
    from app.policy.decision import Kind
    from app.tools.mcp.foreign import ForeignTool, NoModel, in_words

    evil = {"type": "object", "properties": {"pattern": {"type": "string", "pattern": "^(a+)+$"}}}
    tool = ForeignTool("x__y", Kind.READ, "", _never, NoModel, in_words("x", "y"), foreign=True, form=evil)
    began = time.monotonic()
    assert tool.check({"pattern": "a" * 40 + "!"}, {}) == {"pattern": "a" * 40 + "!"}
    assert time.monotonic() - began < 1


async def _never(ctx: Any, /) -> None: ...


def _at(server: Listener) -> tuple[Http, Place]:
    return Http(Guard([f"127.0.0.1:{server.port}"])), Place(f"http://127.0.0.1:{server.port}/mcp")


def _said(result: Any, number: int = 3) -> list[bytes]:
    body = json.dumps({"jsonrpc": "2.0", "id": number, "result": {"resultType": "complete", **result}}).encode()
    return answer(body, "200 OK", b"Content-Type: application/json")


def _honest_until_called(seen: Seen, then: Callable[[Seen], Any]) -> Any:
    """A modern server as far as the list; the ids count from 1."""
    kept = {"ttlMs": 0, "cacheScope": "private"}
    match seen.header("mcp-method"):
        case "server/discover":
            return _said({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **kept}, 1)
        case "tools/list":
            return _said({"tools": [{"name": "send", "inputSchema": ANY}], **kept}, 2)
        case _:
            return then(seen)


def test_our_names_and_two_of_one_name_are_refused_however_they_are_written() -> None:
    names = ["send_reply", "Send-Reply", "tell.manager", "list_a", "listA", "list_b"]
    taken, refused = usable([listed(name) for name in names], ours=("send_reply", "tell_manager"), server="crm")
    assert [name for name, _ in taken] == ["crm__list_b"]
    assert [one.why for one in refused] == ["duplicate", "duplicate", "ours", "duplicate", "duplicate"]
    _, (alone,) = usable([listed("SEND-REPLY")], ours=("send_reply",), server="crm")
    assert alone.why == "ours"


async def test_what_is_no_longer_what_was_looked_at_is_not_called() -> None:
    with Listener(reply=lambda seen: _honest_until_called(seen, silent)) as server, pytest.raises(client.Changed):
        await call_tool(*_at(server), "send", {}, same=lambda tool: tool.description == "as it was")
    assert not any(seen.header("mcp-method") == "tools/call" for seen in server.seen)
