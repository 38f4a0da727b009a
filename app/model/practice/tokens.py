"""What would this cost? Token counts guessed from the length of the text, and what a prompt cache would spare."""

import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pydantic import JsonValue

from app.model.practice.request import Prompt

CHARACTERS_PER_TOKEN = 4
SMALLEST_CACHED = 1024  # tokens, as the real cache
KEPT_SECONDS = 300.0
MOST_KEPT = 10_000


@dataclass(frozen=True)
class Usage:
    """The figures of one answer, under the API's names."""

    input_tokens: int
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0

    def as_json(self) -> dict[str, JsonValue]:
        created = self.cache_creation_input_tokens
        parts: dict[str, JsonValue] = {"ephemeral_5m_input_tokens": created, "ephemeral_1h_input_tokens": 0}
        return {**asdict(self), "cache_creation": parts, "service_tier": "standard"}


def tokens_of(text: str) -> int:
    """About as many tokens as a real model would count; never none."""
    return max(1, -(-len(text) // CHARACTERS_PER_TOKEN))


@dataclass(frozen=True)
class _Block:
    text: str
    is_marked: bool


def _blocks(prompt: Prompt) -> Iterator[_Block]:
    """Everything the model reads, in the order in which the cache sees it."""
    for tool in prompt.tools:
        yield _block("tool", tool.model_dump(exclude={"cache_control"}, exclude_none=True), tool.cache_control)
    for part in prompt.system:
        yield _block("system", part.text, part.cache_control)
    for message in prompt.messages:
        for block in message.content:
            content = block.model_dump(exclude={"cache_control"}, exclude_none=True)
            yield _block(message.role, content, getattr(block, "cache_control", None))


def _block(where: str, content: JsonValue, mark: object) -> _Block:
    return _Block(json.dumps([where, content], ensure_ascii=False, sort_keys=True), mark is not None)


def count(prompt: Prompt) -> int:
    """Tokens of the whole prompt."""
    return sum(tokens_of(block.text) for block in _blocks(prompt))


class PromptCache:
    """Which beginnings of prompts were written lately? Like the real cache it may forget: that costs, nothing else."""

    def __init__(self) -> None:
        self._written: OrderedDict[bytes, float] = OrderedDict()

    def usage(self, prompt: Prompt) -> Usage:
        """What of this prompt is new, written to the cache, or read from it."""
        digest, total, marked, read = hashlib.sha256(prompt.model.encode()), 0, 0, 0
        to_write: list[bytes] = []
        blocks = list(_blocks(prompt))
        for index, block in enumerate(blocks):
            digest.update(block.text.encode())
            total += tokens_of(block.text)
            if self._is_known(digest.digest()):
                read = total
            if block.is_marked or (prompt.cache_control and index == len(blocks) - 1):
                marked = total
                to_write.append(digest.digest())
        if marked < SMALLEST_CACHED:
            return Usage(input_tokens=total)
        read = min(read, marked)
        self._write(to_write)
        return Usage(total - marked, cache_creation_input_tokens=marked - read, cache_read_input_tokens=read)

    def _is_known(self, beginning: bytes) -> bool:
        return time.monotonic() - self._written.get(beginning, float("-inf")) < KEPT_SECONDS

    def _write(self, beginnings: list[bytes]) -> None:
        for beginning in beginnings:
            self._written[beginning] = time.monotonic()
            self._written.move_to_end(beginning)
        while len(self._written) > MOST_KEPT:
            self._written.popitem(last=False)
