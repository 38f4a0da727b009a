"""Is this history whole? Turns, pairs of calls and results, and assistant blocks that came back as they were."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from app.model.practice.issued import came_back_as_it_was, is_ours, is_signed
from app.model.practice.refusal import Refusal
from app.model.practice.request import Block, Message, Text, Thinking, ToolResult, ToolUse


@dataclass(frozen=True)
class Turn:
    """Consecutive messages of one role; `first` is the number of the message it begins with."""

    role: str
    blocks: tuple[Block, ...]
    first: int


def turns(messages: Sequence[Message]) -> list[Turn]:
    """The history as the model reads it: roles alternate."""
    merged: list[Turn] = []
    for index, message in enumerate(messages):
        if merged and merged[-1].role == message.role:
            last = merged.pop()
            merged.append(Turn(last.role, (*last.blocks, *message.content), last.first))
        else:
            merged.append(Turn(message.role, tuple(message.content), index))
    return merged


def check_history(messages: Sequence[Message]) -> None:
    """Return, or say what is wrong with the first broken place."""
    if not messages:
        raise Refusal("messages: at least one message is required")
    if messages[0].role != "user":
        raise Refusal('messages: first message must use the "user" role')
    for index, message in enumerate(messages):
        _content_is_there(message, index, last=index == len(messages) - 1)
        _blocks_fit_the_role(message, index)
        _came_back_unchanged(message, index)
    _ids_differ(messages)
    _pairs_are_whole(turns(messages))


def _content_is_there(message: Message, index: int, *, last: bool) -> None:
    if not message.content and message.role == "user":
        raise Refusal(f"messages.{index}: user messages must have non-empty content")
    if not message.content and not last:
        raise Refusal(
            f"messages.{index}: all messages must have non-empty content except for the optional final "
            "assistant message"
        )
    for text in _texts(message.content):
        if not text:
            raise Refusal("messages: text content blocks must be non-empty")
        if not text.strip():
            raise Refusal("messages: text content blocks must contain non-whitespace text")
    if last and message.role == "assistant" and message.content:
        final = message.content[-1]
        if isinstance(final, Text) and final.text != final.text.rstrip():
            raise Refusal("messages: final assistant content cannot end with trailing whitespace")


def _texts(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Text):
            yield block.text
        if isinstance(block, ToolResult):
            yield from (inner.text for inner in block.content if isinstance(inner, Text))


def _blocks_fit_the_role(message: Message, index: int) -> None:
    for position, block in enumerate(message.content):
        where = f"messages.{index}.content.{position}"
        if isinstance(block, ToolResult):
            if message.role == "assistant":
                raise Refusal(f"{where}: `tool_result` blocks can only be in `user` messages")
            if block.is_error and not block.content:
                raise Refusal(f"{where}.tool_result: content cannot be empty if `is_error` is true")
        elif message.role == "user" and block.type in ("tool_use", "thinking", "redacted_thinking"):
            raise Refusal(f"{where}: `{block.type}` blocks can only be in `assistant` messages")
        elif message.role == "assistant" and block.type in ("image", "document"):
            raise Refusal(f"{where}: `{block.type}` blocks can only be in `user` messages")


def _came_back_unchanged(message: Message, index: int) -> None:
    for position, block in enumerate(message.content):
        where = f"messages.{index}.content.{position}"
        if isinstance(block, Thinking) and not is_signed(block.thinking, block.signature):
            raise Refusal(f"{where}: Invalid `signature` in `thinking` block")
        if isinstance(block, ToolUse) and is_ours(block.id):
            before: list[JsonValue] = [as_issued(earlier) for earlier in message.content[:position]]
            if not came_back_as_it_was(block.id, before, block.name, block.input):
                raise Refusal(f"{where}: assistant blocks must be sent back as they were: {block.id} has changed")


def as_issued(block: Block) -> JsonValue:
    """What of a block is under the proof of the calls after it; marks for the cache and empty fields are not."""
    match block:
        case Text():
            return ["text", block.text]
        case Thinking():
            return ["thinking", block.thinking, block.signature]
        case ToolUse():
            return ["tool_use", block.id]
        case _:
            return ["other", block.type]


def _ids_differ(messages: Sequence[Message]) -> None:
    seen: set[str] = set()
    for index, message in enumerate(messages):
        for position, block in enumerate(message.content):
            if not isinstance(block, ToolUse):
                continue
            if block.id in seen:
                raise Refusal(f"messages.{index}.content.{position}: `tool_use` ids must be unique")
            seen.add(block.id)


def _pairs_are_whole(history: Sequence[Turn]) -> None:
    asked: list[str] = []
    for turn in history:
        if turn.role == "assistant":
            asked = [block.id for block in turn.blocks if isinstance(block, ToolUse)]
            if asked and turn is history[-1]:
                raise _without_result(turn.first, asked)
        else:
            _results_answer(turn, asked)


def _results_answer(turn: Turn, asked: Sequence[str]) -> None:
    """Results come first in their turn, one for each call of the turn before, and for no other."""
    answered: list[str] = []
    late = False
    for position, block in enumerate(turn.blocks):
        if not isinstance(block, ToolResult):
            late = True
            continue
        where = f"messages.{turn.first}.content.{position}"
        if block.tool_use_id not in asked:
            raise Refusal(
                f"{where}: unexpected `tool_use_id` found in `tool_result` blocks: {block.tool_use_id}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
        if block.tool_use_id in answered:
            raise Refusal(
                f"{where}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: "
                f"{block.tool_use_id}"
            )
        if late:
            raise _without_result(turn.first, [block.tool_use_id])
        answered.append(block.tool_use_id)
    missing = [call for call in asked if call not in answered]
    if missing:
        raise _without_result(turn.first, missing)


def _without_result(index: int, ids: Sequence[str]) -> Refusal:
    named = ", ".join(ids)
    return Refusal(
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {named}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )
