"""What is `ctx.http`? Web requests through the guard, with bounds on size, time and redirects.

Nothing is kept between two requests: no cookies, no connection, no proxy of the environment. What changes something on
the other side goes to the one place that was decided on: its redirects are handed back, not followed.
"""

import asyncio
import json as json_text
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Final
from urllib.parse import urljoin

import httpx2
from pydantic import JsonValue

from app.errors import OutcomeUnknown, ToolError
from app.tools.addresses import Refused, Target, parse_target
from app.tools.body import read_bounded, too_long
from app.tools.going_out import Guard, GuardedTransport, NoAnswer, NotSent, Socket, Unanswered
from app.tools.mcp.programs import Program, program_at

SECONDS: Final = 20.0
MAIL_SECONDS: Final = 20.0  # to reach a mail server
MAX_BYTES: Final = 2 * 1024 * 1024
MAX_REDIRECTS: Final = 5
CLIENT_MAX_BYTES: Final = 8 * 1024 * 1024

READING: Final = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"})
CHANGING: Final = frozenset({"POST", "PUT", "PATCH", "DELETE", "MKCALENDAR"})
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

TOKEN: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
VALUE: Final = re.compile(r"[\t\x20-\x7e]*")
OURS: Final = re.compile(
    r"host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive|cookie|accept-encoding|proxy-.*"
)
TRAVELS_ON: Final = frozenset({"accept", "accept-language", "content-type", "depth", "user-agent"})
Client = httpx2.AsyncClient
LIBRARY_TROUBLE: Final = (httpx2.HTTPError, httpx2.StreamError)  # what such a client raises in a library's hands
CHARSETS: Final = frozenset({"utf-8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252", "utf-16"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What the other side answered. `note` says in a sentence what is missing from the body, if anything is."""

    status_code: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes
    url: str
    note: str
    changing: bool

    @property
    def text(self) -> str:
        found = re.search(r"charset=\"?([\w-]+)", self.headers.get("content-type", ""), re.IGNORECASE)
        charset = found[1].lower() if found and found[1].lower() in CHARSETS else "utf-8"
        return self.body.decode(charset, errors="replace")

    def json(self) -> JsonValue:
        """The body's value. If it has none, what was asked may have happened all the same (OutcomeUnknown)."""
        try:
            value: JsonValue = json_text.loads(self.body)
            return value
        except (ValueError, RecursionError):
            problem = f"The answer of {self.url} (status {self.status_code}) cannot be read. {self.note}".rstrip()
            raise OutcomeUnknown(problem) if self.changing else ToolError(problem) from None


@dataclass(slots=True)
class _Asked:
    """One request on its way, and whether its first byte has left."""

    method: str
    target: Target
    headers: Mapping[str, str]
    content: bytes | None
    max_bytes: int
    sent: bool = False

    @property
    def changing(self) -> bool:
        return self.method in CHANGING

    async def watch(self, event: str, _: Mapping[str, object]) -> None:
        """httpcore tells each stage; before this one the other side knows nothing of the request."""
        self.sent = self.sent or event.endswith("send_request_headers.started")

    def failed(self, problem: str) -> ToolError | OutcomeUnknown:
        sentence = f"{self.target.host} {problem}."
        if not self.sent:
            return NotSent(f"{sentence} Nothing was sent.")
        return NoAnswer(sentence) if self.changing else Unanswered(sentence)


class Http:
    """`ctx.http`."""

    def __init__(
        self,
        guard: Guard,
        *,
        seconds: float = SECONDS,
        max_bytes: int = MAX_BYTES,
        programs: Mapping[str, Program] | None = None,
    ) -> None:
        self._guard = guard
        self.programs: Mapping[str, Program] = programs or {}
        self._seconds = seconds
        self._max_bytes = max_bytes

    def program(self, address: str) -> Program:
        """What the operator lets `local:NAME` stand for. Raises NotStartedHere."""
        return program_at(self.programs, address)

    def in_house(self, address: str) -> bool:
        """Is this one of the private hosts that the operator named? Raises Refused for what is no address."""
        target = parse_target(address)
        return self.names(target.host, target.port)

    def names(self, host: str, port: int) -> bool:
        """Did the operator name this host of the house, with this port or with any?"""
        return self._guard.names(host, port)

    async def mail_socket(self, host: str, port: int) -> Socket:
        """A connection to a mail server, through the same guard. Raises ToolError: nothing was sent."""
        return await self._guard.open_socket(host, port, seconds=MAIL_SECONDS)

    async def get(
        self, url: str, *, headers: Mapping[str, str] | None = None, params: Mapping[str, str] | None = None
    ) -> Answer:
        return await self.request("GET", url, headers=headers, params=params)

    async def post(self, url: str, *, headers: Mapping[str, str] | None = None, json: JsonValue = None) -> Answer:
        return await self.request("POST", url, headers=headers, json=json)

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        json: JsonValue = None,
        content: bytes | None = None,
        seconds: float | None = None,
        max_bytes: int | None = None,
    ) -> Answer:
        """Ask, and bring back what came. Raises Refused, NotSent, Unanswered (reading) or NoAnswer (changing)."""
        if method not in READING | CHANGING:
            raise Refused(f"{method!r} is not a way of asking that is used here.")
        sent_headers = checked_headers(headers or {})
        if json is not None:
            content, sent_headers["content-type"] = json_text.dumps(json).encode(), "application/json"
        target = parse_target(url)
        if params:
            target = parse_target(str(httpx2.URL(target.url).copy_merge_params(params)))
        asked = _Asked(method, target, sent_headers, content, max_bytes or self._max_bytes)
        limit = seconds or self._seconds
        try:
            async with asyncio.timeout(limit):
                return await self._travel(asked)
        except TimeoutError:
            raise asked.failed(f"did not answer in full within {limit:g} seconds") from None
        except httpx2.TransportError as error:
            problem = "answered in a way that cannot be read, or not at all" if asked.sent else "cannot be reached"
            raise asked.failed(problem) from error

    async def _travel(self, asked: _Asked) -> Answer:
        first = asked.target
        for _ in range(MAX_REDIRECTS + 1):
            # A stranger's page may not lead to a private host that the operator opened for something else.
            guard = self._guard if asked.target.host == first.host else self._guard.public()
            answer = await _one(guard, asked)
            location = answer.headers.get("location")
            if asked.changing or answer.status_code not in REDIRECTS or not location:
                return answer
            _go_on(asked, location)
        raise Refused(f"{first.host} leads on and on to other addresses; it was left after {MAX_REDIRECTS}.")

    def client(
        self,
        headers: Mapping[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
        *,
        max_bytes: int = CLIENT_MAX_BYTES,
    ) -> httpx2.AsyncClient:
        """A client behind the guard for libraries that need one (the MCP SDK); redirects are not followed."""
        client = httpx2.AsyncClient(
            transport=_ClientTransport(self._guard, max_bytes),
            trust_env=False,
            headers=checked_headers(headers or {}),
            timeout=timeout or httpx2.Timeout(30.0, read=300.0),
            auth=auth,
        )
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        return client


def checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Lower-case names, one line each. Raises Refused for what would write other lines or steer the connection."""
    for name, value in headers.items():
        if not TOKEN.fullmatch(name) or not VALUE.fullmatch(value):
            raise Refused(f"The header {name!r} contains a character that no header may contain.")
        if OURS.fullmatch(name.lower()):
            raise Refused(f"The header {name!r} is not for a tool to set.")
    return {name.lower(): value for name, value in headers.items()}


def _go_on(asked: _Asked, location: str) -> None:
    """Turn the request to where the answer points, or raise Refused."""
    before = asked.target
    absolute = location if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", location) else urljoin(before.url, location)
    after = parse_target(absolute)
    if before.scheme == "https" and after.scheme == "http":
        raise Refused(f"{before.host} leads from a secure address to one that is not ({after.host}).")
    if after.origin != before.origin:  # keys were entered for the first place, not for wherever it points
        asked.headers = {name: value for name, value in asked.headers.items() if name in TRAVELS_ON}
    asked.target = after


async def _one(guard: Guard, asked: _Asked) -> Answer:
    target = asked.target
    url = httpx2.URL(target.url)
    if (url.scheme, url.raw_host.decode("ascii")) != (target.scheme, target.host):
        raise Refused(f"The address {target.url!r} can be read in two ways.")
    headers = {"user-agent": "Placet", **asked.headers, "accept-encoding": "gzip"}
    request = httpx2.Request(
        asked.method, url, headers=headers, content=asked.content, extensions={"trace": asked.watch}
    )
    async with GuardedTransport(guard) as transport:
        response = await transport.handle_async_request(request)
        response.request = request
        try:
            body, note = await read_bounded(response, asked.max_bytes)
        finally:
            await response.aclose()
    kept = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status_code, kept, body, target.url, note, asked.changing)


class _ClientTransport(GuardedTransport):
    """For clients that we do not drive: the same refusals, as errors that they know, and a bound on each answer."""

    def __init__(self, guard: Guard, max_bytes: int) -> None:
        super().__init__(guard)
        self._max_bytes = max_bytes

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["accept-encoding"] = "identity"  # so that what is counted is what is kept
        try:
            parse_target(str(request.url))
            response = await super().handle_async_request(request)
        except ToolError as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx2.ReadError("The answer came packed although that was not asked for.", request=request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, self._max_bytes)
        return response


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends in an error once it is longer than allowed."""

    def __init__(self, stream: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._stream = stream
        self._left = max_bytes
        self._max_bytes = max_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._left -= len(piece)
            if self._left < 0:
                raise httpx2.ReadError(too_long(self._max_bytes))
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
