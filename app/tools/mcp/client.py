"""How do we speak with a server of somebody else's tools (MCP)? Through the guard, with bounds, and believing little.

A program that the operator allows on this machine (process.py) is spoken with in the same way, and believed as little.

Whatever it does (silence, endless answers, broken ones, lies), a caller gets a value, a ToolError (nothing was done) or
OutcomeUnknown (it may have been). The SDK speaks; our client carries it, so every connection passes the guard.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from mcp import Client, MCPError
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp_types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    TextContent,
    Tool,
)
from pydantic import JsonValue, ValidationError

from app.errors import OutcomeUnknown, ToolError
from app.policy.words import N_
from app.tools.context import Outgoing
from app.tools.http import LIBRARY_TROUBLE
from app.tools.mcp.lines import lines
from app.tools.mcp.process import started
from app.tools.mcp.programs import NotStartedHere, is_local
from app.tools.mcp.trouble import Why, noting, why_silent

LISTING_SECONDS: Final = 20.0  # to connect and to fetch the whole list
CALL_SECONDS: Final = 60.0  # for the answer to one call
CLOSING_SECONDS: Final = 2.0  # a goodbye that nobody answers does not hold us up
LONGEST_ANSWER: Final = 2 * 1024 * 1024  # bytes of each answer
MOST_PAGES: Final = 20
MOST_TOOLS: Final = 200
LONGEST_TEXT: Final = 60_000  # characters of a result that are kept; the model reads less of it (bounds.py)
NOT_DONE: Final = frozenset({INVALID_PARAMS, METHOD_NOT_FOUND})  # errors that say that nothing was begun

NOT_REACHED = N_("The service cannot be reached, or does not answer as it should. Nothing was asked of it.")

Trouble = (ExceptionGroup, MCPError, OSError, ValidationError, RuntimeError, *LIBRARY_TROUBLE)


@dataclass(frozen=True)
class Place:
    """Where a server is, and the key that it wants, if any."""

    address: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True)
class Listed:
    """A tool as its server describes it: all of this is somebody else's words."""

    name: str
    description: str
    schema: Mapping[str, JsonValue]
    annotations: Mapping[str, JsonValue]


class Silent(ToolError):
    """A service did not say what it can do; `why` tells the causes apart that a person can do something about."""

    def __init__(self, why: Why) -> None:
        super().__init__(NOT_REACHED)
        self.why = why


class Gone(ToolError):
    """The server no longer lists the tool."""


class Changed(ToolError):
    """The tool is another one than the list said when it was last fetched."""


async def list_tools(http: Outgoing, place: Place, *, seconds: float = LISTING_SECONDS) -> list[Listed]:
    """What a server says that it can do. Raises Silent."""
    found: list[list[Listed]] = []
    answers: list[int] = []
    try:
        async with asyncio.timeout(seconds), _session(http, place, answers) as client:
            found.append(await _list(client))
    except (*Trouble, NotStartedHere) as error:
        if not found:
            raise Silent(why_silent(error, answers)) from None
    return found[0]


async def call_tool(
    http: Outgoing, place: Place, name: str, arguments: Mapping[str, JsonValue], *, same: Callable[[Listed], bool]
) -> JsonValue:
    """Call a tool, after a look whether it is still the `same`. Raises ToolError or OutcomeUnknown."""
    call = _Call(name, dict(arguments), same)
    try:
        async with _session(http, place) as client:
            async with asyncio.timeout(LISTING_SECONDS):
                call.check(await _list(client))
            if call.problem is None:
                async with asyncio.timeout(CALL_SECONDS):
                    await call.send(client)
    except Trouble:
        pass  # what was found out until then is in `call`
    return call.outcome()


@dataclass
class _Call:
    """One call on its way: the SDK wraps what is raised inside, so what is known is kept here."""

    name: str
    arguments: dict[str, Any]
    same: Callable[[Listed], bool]
    problem: ToolError | None = None
    sent: bool = False
    result: CallToolResult | None = None

    def check(self, listed: list[Listed]) -> None:
        found = [tool for tool in listed if tool.name == self.name]
        if len(found) != 1:
            self.problem = Gone("The service no longer has this. Nothing was done; tell your manager.")
        elif not self.same(found[0]):
            self.problem = Changed("This has changed since it was looked at. Nothing was done; tell your manager.")

    async def send(self, client: Client) -> None:
        params = CallToolRequestParams(name=self.name, arguments=self.arguments)
        self.sent = True
        try:
            # Not client.call_tool: that would look at the result by the server's own schema, after the effect.
            self.result = await client.session.send_request(CallToolRequest(params=params), CallToolResult)
        except MCPError as error:
            if error.code in NOT_DONE:
                self.problem = ToolError("The service does not take these arguments. Nothing was done.")

    def outcome(self) -> JsonValue:
        if self.problem is not None:
            raise self.problem
        if not self.sent:
            raise ToolError(NOT_REACHED)
        if self.result is None:
            raise OutcomeUnknown("the service did not answer")
        return value_of(self.result)


@asynccontextmanager
async def _session(http: Outgoing, place: Place, answers: list[int] | None = None) -> AsyncIterator[Client]:
    async with _way(http, place, answers) as way:
        client = Client(way, cache=None)  # and without callbacks: the server can ask nothing of us
        async with asyncio.timeout(LISTING_SECONDS):
            await client.__aenter__()
        try:
            yield client
        finally:
            async with asyncio.timeout(CLOSING_SECONDS):
                await client.__aexit__(None, None, None)


@asynccontextmanager
async def _way(http: Outgoing, place: Place, answers: list[int] | None) -> AsyncIterator[Transport]:
    if is_local(place.address):
        async with started(http.program(place.address), place.key, most=LONGEST_ANSWER) as running:
            yield lines(running)
        return
    headers = {"authorization": f"Bearer {place.key}"} if place.key else {}
    async with http.client(headers, max_bytes=LONGEST_ANSWER) as carrier:
        if answers is not None:
            carrier.event_hooks["response"].append(noting(answers))  # the SDK keeps the status to itself
        yield streamable_http_client(place.address, http_client=carrier, terminate_on_close=False)


async def _list(client: Client) -> list[Listed]:
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None or len(tools) > MOST_TOOLS:
            break
    return [_listed(tool) for tool in tools[:MOST_TOOLS]]


def _listed(tool: Tool) -> Listed:
    annotations = tool.annotations.model_dump(exclude_none=True, by_alias=True) if tool.annotations else {}
    return Listed(tool.name, tool.description or "", dict(tool.input_schema), annotations)


def value_of(result: CallToolResult) -> JsonValue:
    """The text of a result, or its data where it has no text. Raises ToolError where the server says that it failed."""
    texts = [item.text for item in result.content if isinstance(item, TextContent)]
    other = len(result.content) - len(texts)
    text = "\n".join(texts)
    if result.is_error:
        raise ToolError(text[:1000] or "The service says that it did not work, without saying why.")
    told: dict[str, JsonValue] = {"text": text[:LONGEST_TEXT]} if texts else {"data": _bounded(result)}
    if len(text) > LONGEST_TEXT:
        told["left_out"] = f"{len(text) - LONGEST_TEXT} of {len(text)} characters. Ask for less."
    if other:
        told["not_shown"] = f"{other} pictures, sounds or files"
    return told


def _bounded(result: CallToolResult) -> JsonValue:
    data: JsonValue = result.structured_content
    whole = json.dumps(data, ensure_ascii=False)
    return data if len(whole) <= LONGEST_TEXT else whole[:LONGEST_TEXT]
