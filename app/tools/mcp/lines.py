"""How does the SDK speak with a program? Each message is a line; what is no message is passed over."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, jsonrpc_message_adapter

from app.tools.mcp.process import Running

MOST_NOISE: Final = 1_000  # lines that are no message; a greeting has few, and each costs time that others wait


@dataclass
class _Way:
    """One direction. The process is ended by whoever started it (process.py), never by the SDK."""

    running: Running

    async def aclose(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Heard(_Way):
    """What the program says. Many print a greeting among the messages; a flood of them ends it."""

    noise = 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        while True:
            try:
                line = await self.running.line()
            except EOFError:
                raise StopAsyncIteration from None
            try:
                return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
            except ValueError:
                self.noise += 1
                if self.noise > MOST_NOISE:
                    raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage:
        return await self.__anext__()


class Said(_Way):
    """What we say to it."""

    async def send(self, item: SessionMessage, /) -> None:
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        await self.running.say(line.encode(), asks=isinstance(item.message, JSONRPCRequest))


@asynccontextmanager
async def lines(running: Running) -> AsyncIterator[tuple[Heard, Said]]:
    """Both directions, as the SDK's client takes them."""
    yield Heard(running), Said(running)
