"""How is the model asked? Through the `anthropic` SDK, here only; the answer is taken whole or not at all.

Not streamed: an answer that was cut then is an error instead of a message that parses (RELIABILITY B7). The SDK's
own retries are off: they obey `retry-after` without a bound, and each attempt has its own reservation.
"""

import json
import ssl
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, cast

import anthropic
import httpx2
from pydantic import JsonValue

from app.budget.prices import Tokens
from app.settings import Settings

SECONDS = 180.0  # for one answer of at most `max_tokens`


class Trouble(StrEnum):
    """Why there is no answer."""

    BUSY = "busy"  # 429, 529: certainly not served
    BROKEN = "broken"  # 5xx: perhaps served
    UNREACHABLE = "unreachable"  # no connection: certainly not served
    SILENT = "silent"  # time-out or a cut connection: perhaps served
    WRONG_KEY = "wrong_key"
    INVALID = "invalid"  # 400: our request is wrong, a bug of ours
    TOO_LONG = "too_long"  # 400 or 413: more than the model can hold


PASSING = frozenset({Trouble.BUSY, Trouble.BROKEN, Trouble.UNREACHABLE, Trouble.SILENT})
NOT_SERVED = frozenset({Trouble.BUSY, Trouble.UNREACHABLE, Trouble.WRONG_KEY, Trouble.INVALID, Trouble.TOO_LONG})


class ModelTrouble(Exception):
    """There is no answer. `retry_after` is what the server asked for, in seconds; our own deadline decides."""

    def __init__(self, kind: Trouble, detail: str, retry_after: float | None = None) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.retry_after = kind, retry_after


@dataclass(frozen=True)
class Request:
    """One request to the Messages API, in the order in which it caches: tools, system, messages."""

    model: str
    max_tokens: int
    system: list[dict[str, JsonValue]]
    tools: list[dict[str, JsonValue]]
    messages: list[dict[str, JsonValue]]
    conclude: bool = False  # no tool may be called: a last word is wanted

    def body(self) -> dict[str, Any]:
        """What the SDK is given."""
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": self.max_tokens,
            "system": self.system,
            "messages": self.messages,
        }
        if self.tools:
            body["tools"] = self.tools
            body["tool_choice"] = {"type": "none" if self.conclude else "auto"}
        return body

    def size(self) -> int:
        """How many tokens it is at most, estimated high: a token has three bytes or more of JSON."""
        return len(json.dumps(self.body(), ensure_ascii=False).encode()) // 3 + 500


@dataclass(frozen=True)
class Answer:
    """A whole answer: its blocks as they came, unknown and signed ones too."""

    blocks: list[JsonValue]
    stop_reason: str | None
    model: str
    used: Tokens | None  # None: the usage is missing


@cache
def _certificates() -> ssl.SSLContext:
    """The machine's, read once per process."""
    return httpx2.create_ssl_context()


class ModelClient:
    """One per process: connections are kept alive."""

    def __init__(self, settings: Settings) -> None:
        self._client = anthropic.AsyncAnthropic(
            api_key=settings.anthropic_api_key or "practice",
            base_url=settings.anthropic_base_url or None,
            max_retries=0,
            http_client=anthropic.DefaultAsyncHttpxClient(verify=_certificates()),
            timeout=httpx2.Timeout(SECONDS, connect=10.0),
        )

    async def ask(self, request: Request) -> Answer:
        """One attempt. Raises ModelTrouble where there is no whole answer."""
        try:
            raw = await self._client.messages.with_raw_response.create(**request.body())
            return _whole(_readable(raw.http_response.json()))
        except anthropic.APIStatusError as error:
            raise _status(error) from error
        except anthropic.APITimeoutError as error:
            raise _unreachable(error, Trouble.SILENT) from error
        except anthropic.APIConnectionError as error:
            raise _unreachable(error, Trouble.SILENT) from error
        except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:  # the last three: not the API's shape
            raise ModelTrouble(Trouble.SILENT, type(error).__name__) from error

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()


def _readable(body: JsonValue) -> dict[str, Any]:
    """The message, with half characters replaced: they can be neither kept nor sent back. Raises ValueError."""
    if not isinstance(body, dict):
        raise ValueError("not a message")
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    return cast(dict[str, Any], json.loads(text.encode("utf-8", "replace")))


def _whole(message: dict[str, Any]) -> Answer:
    usage = message.get("usage")
    used = None
    if isinstance(usage, dict) and "input_tokens" in usage and "output_tokens" in usage:
        used = Tokens(
            input=int(usage["input_tokens"]),
            output=int(usage["output_tokens"]),
            cache_read=int(usage.get("cache_read_input_tokens") or 0),
            cache_write=int(usage.get("cache_creation_input_tokens") or 0),
        )
    reason = message.get("stop_reason")
    blocks = cast(list[JsonValue], list(message["content"]))
    return Answer(blocks, None if reason is None else _name(reason), _name(message["model"]), used)


def _name(value: object) -> str:
    """A short name, fit for a column."""
    return "".join(letter for letter in str(value) if letter.isprintable())[:100]


def _unreachable(error: Exception, otherwise: Trouble) -> ModelTrouble:
    cause = error.__cause__
    refused = isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout)
    return ModelTrouble(Trouble.UNREACHABLE if refused else otherwise, type(cause or error).__name__)


def _status(error: anthropic.APIStatusError) -> ModelTrouble:
    status, text = error.status_code, str(error.message)[:300]
    wait = error.response.headers.get("retry-after")
    seconds = float(wait) if wait and wait.replace(".", "", 1).isdigit() else None
    match status:
        case 401 | 403:
            return ModelTrouble(Trouble.WRONG_KEY, str(status))
        case 429 | 529:
            return ModelTrouble(Trouble.BUSY, str(status), seconds)
        case 413:
            return ModelTrouble(Trouble.TOO_LONG, text)
        case 400 | 404 | 422:
            return ModelTrouble(Trouble.TOO_LONG if "too long" in text.lower() else Trouble.INVALID, text)
        case _:
            return ModelTrouble(Trouble.BROKEN, str(status), seconds)
