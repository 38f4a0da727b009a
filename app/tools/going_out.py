"""How does anything leave the house? Through one guard: the address that was checked is the one connected to.

A name that is looked up twice is a name that may change in between, so names are looked up here and nowhere below.
`Guard` opens sockets for every protocol; `ctx.http` (app/tools/http.py) stands on it.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache, cached_property
from ipaddress import ip_address
from typing import Final, TypeVar

import httpcore2
import httpx2

from app.errors import BadConfiguration, OutcomeUnknown, ToolError
from app.tools.addresses import (
    BRACKETED,
    PLAIN,
    Refused,
    normal_host,
    refuse_in_house,
    refuse_name,
    refuse_reason,
)

WEB_PORTS: Final = frozenset({80, 443, 8080, 8443})
MAIL_PORTS: Final = frozenset({25, 465, 587, 2525, 143, 993})
LOOK_UP_SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 5.0  # for each address of a host
MOST_ADDRESSES: Final = 8

Resolver = Callable[[str], Awaitable[Sequence[str]]]
Place = tuple[str, int]
Socket = socket.socket
Opened = TypeVar("Opened")


class PortRefused(Refused):
    """The guard said no to a port, before it looked where the name leads."""


class NotSent(ToolError):
    """The other side was not reached, so nothing happened there; it may be tried again."""


class Unanswered(ToolError):
    """A request that changes nothing got no usable answer."""


class NoAnswer(OutcomeUnknown):
    """Something was sent and no usable answer came: whether it happened is not known (promise 5)."""


async def by_the_system(name: str) -> Sequence[str]:
    """The addresses of a name, as this machine looks them up."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def where_it_is(ip: str, port: int) -> Place:
    """Where a checked address really lies. Tests put a listener of their own here, the last step before the socket."""
    return ip, port


@cache
def _certificates() -> ssl.SSLContext:
    """Those that are trusted, read once: it takes as long as a request."""
    return httpx2.create_ssl_context(trust_env=False)


class Guard:
    """Decides where a connection may go, and opens it there.

    `allowed` are the private hosts that the operator named, `host` or `host:port`. A name without a port opens the
    usual ports of the protocol only. Naming a host never opens metadata or link-local addresses.
    """

    def __init__(
        self,
        allowed: Iterable[str] = (),
        *,
        ports: frozenset[int] = WEB_PORTS,
        resolve: Resolver = by_the_system,
        lies_at: Callable[[str, int], Place] = where_it_is,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed = frozenset(_house_host(name) for name in allowed)
        self._ports = ports
        self._resolve = resolve
        self._lies_at = lies_at
        self._given_tls = tls

    @cached_property
    def tls(self) -> ssl.SSLContext:
        """Certificates are always checked; the environment cannot name others."""
        return self._given_tls or _certificates()

    def public(self) -> "Guard":
        """The same guard without the private hosts: for addresses that a third party may have written."""
        return Guard((), ports=self._ports, resolve=self._resolve, lies_at=self._lies_at, tls=self.tls)

    def names(self, host: str, port: int) -> bool:
        """Did the operator name this host, with this port or with any?"""
        name = normal_host(host)
        return (name, port) in self._allowed or (name, None) in self._allowed

    async def checked(self, host: str, port: int, ports: frozenset[int] | None = None) -> tuple[str, ...]:
        """The addresses of a host that may be connected to. One bad address among them refuses all (Refused)."""
        name = normal_host(host)
        named_port = (name, port) in self._allowed
        in_house = named_port or (name, None) in self._allowed
        if not named_port and port not in (self._ports if ports is None else ports):
            raise PortRefused(f"Port {port} of {name} is not one that may be used.")
        if not in_house and (reason := refuse_name(name)):
            raise Refused(f"{name} is {reason}; nothing may go there.")
        found = await self._look_up(name)
        for ip in found:
            if reason := refuse_in_house(ip) if in_house else refuse_reason(ip):
                raise Refused(f"{name} leads to {reason}; nothing may go there.")
        return found

    async def _look_up(self, name: str) -> tuple[str, ...]:
        try:
            return (str(ip_address(name)),)
        except ValueError:
            pass
        try:
            async with asyncio.timeout(LOOK_UP_SECONDS):
                found = tuple(await self._resolve(name))
        except TimeoutError:
            found = ()
        if not found:
            raise NotSent(f"There is no machine called {name}, or its address cannot be found. Nothing was sent.")
        return found

    async def dial(
        self, host: str, port: int, ports: frozenset[int] | None, open_at: Callable[[str, int], Awaitable[Opened]]
    ) -> Opened:
        """Check, then open the first address that answers; never look the name up again."""
        for ip in (await self.checked(host, port, ports))[:MOST_ADDRESSES]:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await open_at(*self._lies_at(ip, port))
            except (OSError, httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue  # the next address, as a browser does; the sentence below says that none was left
        raise NotSent(f"{host} cannot be reached. Nothing was sent.")

    async def open_socket(
        self, host: str, port: int, *, seconds: float, ports: frozenset[int] = MAIL_PORTS
    ) -> socket.socket:
        """A connected, non-blocking socket, for libraries that take one (SMTP, IMAP)."""
        try:
            async with asyncio.timeout(seconds):
                return await self.dial(host, port, ports, _socket_at)
        except TimeoutError:
            raise NotSent(f"{host} did not answer within {seconds:g} seconds. Nothing was sent.") from None

    async def connect(
        self, host: str, port: int, *, seconds: float, ports: frozenset[int] = MAIL_PORTS, secure: bool = False
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A stream to the checked address; `secure` speaks TLS at once, with the certificate checked by name."""
        opened = await self.open_socket(host, port, seconds=seconds, ports=ports)
        if not secure:
            return await asyncio.open_connection(sock=opened)
        try:
            return await asyncio.open_connection(
                sock=opened, ssl=self.tls, server_hostname=normal_host(host), ssl_handshake_timeout=seconds
            )
        except OSError as error:
            opened.close()
            raise NotSent(f"{host} cannot be reached securely. Nothing was sent.") from error


def _house_host(written: str) -> tuple[str, int | None]:
    parts = BRACKETED.fullmatch(written.strip()) or PLAIN.fullmatch(written.strip())
    if parts is None:
        raise BadConfiguration(f"{written!r} is not a host; write host or host:port.")
    try:
        return normal_host(parts[1]), int(parts[2]) if parts[2] else None
    except Refused as error:
        raise BadConfiguration(str(error)) from None


async def _socket_at(ip: str, port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM)
    opened.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(opened, (ip, port))
    except BaseException:  # also a cancelled one: nobody else would close it
        opened.close()
        raise
    return opened


class _CheckedNetwork(httpcore2.AsyncNetworkBackend):
    """What the HTTP library connects with: it hands over names, and every one of them passes the guard."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._plain = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        async def open_at(ip: str, at: int) -> httpcore2.AsyncNetworkStream:
            return await self._plain.connect_tcp(ip, at, timeout, local_address, socket_options)

        return await self._guard.dial(host, port, None, open_at)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        raise Refused("Nothing leaves through a file of this machine.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx2 over the guard. No proxy of the environment: it would choose the address itself."""

    def __init__(self, guard: Guard) -> None:
        super().__init__(verify=guard.tls, trust_env=False)
        # Reading the field first: if httpx2 ever renames it, this raises instead of leaving an unguarded pool behind.
        if not isinstance(self._pool, httpcore2.AsyncConnectionPool):
            raise TypeError("httpx2 keeps its connections elsewhere now")
        self._pool = httpcore2.AsyncConnectionPool(ssl_context=guard.tls, network_backend=_CheckedNetwork(guard))
