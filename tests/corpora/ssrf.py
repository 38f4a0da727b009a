"""Does a connection ever reach where nothing may go, and does every allowed one arrive?

What is real: `ctx.http` as tools use it, its parsing, look-up, checks, redirects, TLS with certificates checked by
name, HTTP over TCP sockets. What is not: names are looked up in the row instead of the DNS, and the very last step
before the socket puts a listener on loopback in the place of the address; there are two, one for what the row permits,
one for everything else. A row is missed if the second counts a single connection, or if the request was not refused.

Each row that must be blocked is also tried behind a redirect from a public site and, where it stands for an address,
as the answer, one of two answers, and the second answer of a name that was public a moment ago.
"""

import asyncio
import json
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from app.errors import OutcomeUnknown, ToolError
from app.tools.addresses import Refused, Target, parse_target
from app.tools.going_out import Guard
from app.tools.http import Http
from tests.corpora.listener import Listener, Seen, answer, certified

Row = Mapping[str, object]
Place = tuple[str, int]

START: Final = "start.example.net"
CHANGING: Final = "changing.example.net"
PUBLIC: Final = "198.41.0.4"
KNOWN_PUBLIC: Final = frozenset({"93.184.216.34", "1.1.1.1", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946"})
# Rows that are about an address; in the others it is the writing, the name, the port or the scheme that is wrong.
OF_ADDRESSES: Final = frozenset({"loopback", "unspecified", "ipv4-special", "metadata", "ipv6", "dns", "rebinding"})
AS_SYSTEMS_DO: Final = {"localhost": "127.0.0.1", "localhost.localdomain": "127.0.0.1", "api.localhost": "127.0.0.1"}


@dataclass(frozen=True)
class Attempt:
    """One way of trying a row."""

    how: str
    url: str
    names: Mapping[str, Sequence[Sequence[str]]]
    redirects: tuple[str, ...] = ()
    permitted: frozenset[Place] = frozenset()
    may_arrive: bool = False  # at a permitted place; the forbidden ones stay forbidden


@dataclass
class Stage:
    """The two listeners, and what the attempt that is under way says about names and places."""

    good: Listener
    bad: Listener
    attempt: Attempt | None = None
    looked_up: dict[str, int] = field(default_factory=dict)
    dialled_bad: list[Place] = field(default_factory=list)
    turns: int = 0

    def begin(self, attempt: Attempt) -> None:
        self.attempt, self.looked_up, self.turns = attempt, {}, 0
        self.dialled_bad.clear()

    async def resolve(self, name: str) -> Sequence[str]:
        assert self.attempt is not None
        answers = self.attempt.names.get(name)
        if answers is None:
            return [found] if (found := AS_SYSTEMS_DO.get(name) or meant_address(name)) else []
        count = self.looked_up[name] = self.looked_up.get(name, 0) + 1
        return answers[min(count, len(answers)) - 1]

    def lies_at(self, ip: str, port: int) -> Place:
        assert self.attempt is not None
        if (ip, port) in self.attempt.permitted:
            return "127.0.0.1", self.good.port
        self.dialled_bad.append((ip, port))
        return "127.0.0.1", self.bad.port

    def reply(self, _: Seen) -> list[bytes]:
        assert self.attempt is not None
        self.turns += 1
        if self.turns > len(self.attempt.redirects):
            return answer()
        return answer(b"", "302 Found", b"Location: " + self.attempt.redirects[self.turns - 1].encode())


def meant_address(host: str) -> str | None:
    """The address that a system would read into a host that is no name, in whatever notation."""
    try:
        return str(ip_address(host.strip("[]").split("%")[0]))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host.removesuffix(".")))
    except (OSError, UnicodeError):
        return None


def names_of(row: Row) -> dict[str, list[list[str]]]:
    given = row.get("dns")
    names = {str(k).lower(): [[str(ip) for ip in v]] for k, v in given.items()} if isinstance(given, dict) else {}
    changing = row.get("dns_sequence")
    if isinstance(changing, list) and (target := parsed(str(row["url"]))):
        names[target.host] = [[str(ip) for ip in one] for one in changing]
    return names


def parsed(url: str) -> Target | None:
    try:
        return parse_target(url)
    except Refused:
        return None


def hops_of(row: Row) -> list[str]:
    hops, given = [str(row["url"])], row.get("redirects")
    for location in given if isinstance(given, list) else []:
        hops.append(urljoin(hops[-1], str(location)))
    return hops


def places(urls: Sequence[str], names: Mapping[str, Sequence[Sequence[str]]]) -> frozenset[Place]:
    """Where these addresses lead by the first answer."""
    targets = [target for url in urls if (target := parsed(url))]
    return frozenset((ip, target.port) for target in targets for ip in names.get(target.host, [[target.host]])[0])


def written_redirects(row: Row) -> tuple[str, ...]:
    given = row.get("redirects")
    return tuple(str(location) for location in given) if isinstance(given, list) else ()


def by_redirect(row: Row, direct: Attempt) -> Attempt:
    return Attempt(
        "behind a redirect",
        f"http://{START}/",
        {**direct.names, START: [[PUBLIC]]},
        (direct.url, *direct.redirects),
        direct.permitted | {(PUBLIC, 80)},
        direct.may_arrive,
    )


def attempts_of(row: Row) -> list[Attempt]:
    url, names, hops = str(row["url"]), names_of(row), hops_of(row)
    allowed = row["must"] == "allow"
    changing = "dns_sequence" in row
    permitted = places(hops if allowed or changing else hops[:-1], names)
    if changing:
        permitted = frozenset(place for place in permitted if ip_address(place[0]).is_global)
    direct = Attempt("direct", url, names, written_redirects(row), permitted, allowed or changing)
    attempts = [direct]
    if ":" in url:  # anything else in a redirect is a path on the site itself
        attempts.append(by_redirect(row, direct))
    if not allowed:
        attempts += [attempt for ip in forbidden_addresses(row) for attempt in by_name(ip)]
    return attempts


def forbidden_addresses(row: Row) -> list[str]:
    if row.get("category") not in OF_ADDRESSES:
        return []
    answers = [ip for sequence in names_of(row).values() for one in sequence for ip in one]
    if answers:
        return [ip for ip in answers if ip not in KNOWN_PUBLIC]
    authority = str(row["url"]).partition("//")[2].partition("/")[0]
    host = authority.partition("]")[0] + "]" if authority.startswith("[") else authority.partition(":")[0]
    found = meant_address(host)
    return [found] if found else []


def by_name(ip: str) -> list[Attempt]:
    url, there = f"http://{CHANGING}/", frozenset({(PUBLIC, 80)})
    return [
        Attempt(f"a name of {ip}", url, {CHANGING: [[ip]]}, (), there),
        Attempt(f"a name of {ip} and of a public one", url, {CHANGING: [[PUBLIC, ip]]}, (), there),
        Attempt(f"a name that becomes {ip}", url, {CHANGING: [[PUBLIC], [ip]]}, (), there, True),
        Attempt(
            f"a name that becomes {ip} at a redirect to itself", url, {CHANGING: [[PUBLIC], [ip]]}, (url,), there, False
        ),
    ]


async def tried(stage: Stage, http: Http, attempt: Attempt) -> tuple[bool, int]:
    """Whether an answer came, and how many connections were made where none may be."""
    stage.begin(attempt)
    before = stage.bad.connections
    try:
        arrived = (await http.get(attempt.url)).status_code == 200
    except (ToolError, OutcomeUnknown):
        arrived = False
    return arrived, max(stage.bad.connections - before, len(stage.dialled_bad))


async def verdict(stage: Stage, http: Http, row: Row) -> list[str]:
    """What went wrong with a row, in words; nothing if all went well."""
    wrong = []
    for attempt in attempts_of(row):
        arrived, bad = await tried(stage, http, attempt)
        if bad:
            wrong.append(f"{attempt.how}: {bad} connections to {stage.dialled_bad}")
        if arrived and not attempt.may_arrive:
            wrong.append(f"{attempt.how}: answered instead of refused")
        if not arrived and row["must"] == "allow":
            wrong.append(f"{attempt.how}: not reached")
    return wrong


async def _judge(rows: Sequence[Row]) -> dict[str, int]:
    hosts = [target.host for row in rows for url in hops_of(row) if (target := parsed(url))]
    server, client = certified([*hosts, START, CHANGING])
    counts = {"block": 0, "missed": 0, "allow": 0, "allowed": 0}
    with Listener(tls=server) as good, Listener(tls=server) as bad:
        stage = Stage(good, bad)
        good.reply = stage.reply
        http = Http(Guard(resolve=stage.resolve, lies_at=stage.lies_at, tls=client), seconds=5)
        for row in rows:
            wrong = await verdict(stage, http, row)
            for line in wrong:
                print(f"{row['id']} {row['must']} {row['url']!a}: {line}")
            allow = row["must"] == "allow"
            counts["allow" if allow else "block"] += 1
            counts["allowed" if allow else "missed"] += (not wrong) if allow else bool(wrong)
        counts["missed"] += bad.connections if not counts["missed"] else 0  # one that was counted late is one too many
    return counts


def report(rows: Sequence[Row]) -> dict[str, int]:
    """Prints the worst first; returns counts."""
    return asyncio.run(_judge(rows))


def run(path: Path) -> dict[str, int]:
    """The report on a file, its numbers on the last line."""
    counts = report([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()])
    print(json.dumps(counts))
    return counts
