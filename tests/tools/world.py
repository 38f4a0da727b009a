"""What does the internet look like to a test? Names as the test says, and one listener in every place."""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.tools.going_out import Guard
from app.tools.http import Http
from tests.corpora.listener import Listener

PUBLIC: Final = "93.184.216.34"
OTHER: Final = "1.1.1.1"
SITE: Final = "shop.example.com"
ELSEWHERE: Final = "elsewhere.example.org"


@dataclass
class World:
    """Names as the DNS would answer them, and a listener in the place of each public address."""

    listener: Listener
    tls: ssl.SSLContext
    names: dict[str, list[list[str]]] = field(default_factory=lambda: {SITE: [[PUBLIC]], ELSEWHERE: [[OTHER]]})
    asked: list[str] = field(default_factory=list)
    dialled: list[tuple[str, int]] = field(default_factory=list)

    async def resolve(self, name: str) -> Sequence[str]:
        self.asked.append(name)
        answers = self.names.get(name, [[]])
        return answers[min(self.asked.count(name), len(answers)) - 1]

    def lies_at(self, ip: str, port: int) -> tuple[str, int]:
        self.dialled.append((ip, port))
        return "127.0.0.1", self.listener.port

    def guard(self, *allowed: str) -> Guard:
        return Guard(allowed, resolve=self.resolve, lies_at=self.lies_at, tls=self.tls)

    def http(self, *allowed: str, seconds: float = 5, max_bytes: int = 2 * 1024 * 1024) -> Http:
        return Http(self.guard(*allowed), seconds=seconds, max_bytes=max_bytes)
