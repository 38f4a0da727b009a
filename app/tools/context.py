"""What may a tool use? What `ctx` gives it, and nothing global: its company, its bound facts, its ways out."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from typing import Protocol
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from app.tools.going_out import Socket
from app.tools.http import CLIENT_MAX_BYTES, Client
from app.tools.mcp.programs import Program


class Answered(Protocol):
    """An answer of another server, as tools read it."""

    @property
    def status_code(self) -> int: ...

    def json(self) -> JsonValue: ...


class Outgoing(Protocol):
    """`ctx.http`: connects only where it may (app/tools/going_out.py)."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        json: JsonValue = None,
    ) -> Answered: ...

    def in_house(self, address: str) -> bool:
        """Is this one of the private hosts that the operator named?"""
        ...

    @property
    def programs(self) -> Mapping[str, Program]:
        """The programs of this machine that the operator allows as services, by name."""
        ...

    def program(self, address: str) -> Program:
        """The one that `local:NAME` stands for. Raises NotStartedHere."""
        ...

    async def mail_socket(self, host: str, port: int) -> Socket:
        """A connection to a mail server. Raises ToolError: nothing was sent."""
        ...

    def names(self, host: str, port: int) -> bool:
        """Did the operator name this host of the house, with this port or with any?"""
        ...

    def client(self, headers: Mapping[str, str] | None = None, *, max_bytes: int = CLIENT_MAX_BYTES) -> Client:
        """For libraries that need a client of their own (the MCP SDK): the same refusals, the same bounds."""
        ...


class PostOffice(Protocol):
    """Hands a mail to the company's mail server; raises ToolError (not sent) or OutcomeUnknown.

    `last_look` is called in the instant before the mail leaves; what it raises stops it.
    """

    async def send(self, mail: EmailMessage, *, last_look: Callable[[], None] | None = None) -> None: ...


@dataclass(frozen=True)
class Context:
    """Everything a tool may use while it runs. The tenant and the bound facts never come from the model."""

    tenant_id: UUID
    agent_id: UUID
    agent_name: str
    run_id: UUID
    conversation_id: UUID
    about: Mapping[str, JsonValue]  # what the run is about: correspondent, mail, order
    idempotency_key: str  # the same for each try of this one call
    drawn_from_outside: bool  # this run has read a third party's words
    now: datetime
    transaction: Callable[[], AbstractAsyncContextManager[AsyncSession]]  # one company's, committed at its end
    http: Outgoing
    mail: PostOffice
    secrets: Mapping[str, str]

    def secret(self, name: str) -> str:
        """A stored secret of the company. Raises KeyError if it was never entered. It never reaches the model."""
        return self.secrets[name]
