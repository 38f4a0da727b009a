"""How does a scenario's turn become an answer of the API? Blocks with ids and signatures, a stop reason, a length."""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from app.model.practice.issued import signature, tool_use_id
from app.model.practice.reply import Piece, Raw, Reply, Say, Think, Use
from app.model.practice.request import JsonObject, MessagesRequest
from app.model.practice.tokens import CHARACTERS_PER_TOKEN, Usage, tokens_of


@dataclass(frozen=True)
class Answer:
    """What goes over the wire, whole or as a stream."""

    model: str
    blocks: tuple[JsonObject, ...]
    stop_reason: str | None
    usage: Usage
    stop_sequence: str | None = None
    has_usage: bool = True
    cut_arguments: str | None = None

    def as_json(self) -> JsonObject:
        message: JsonObject = {
            "id": f"msg_{secrets.token_hex(12)}",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": list(self.blocks),
            "stop_reason": self.stop_reason,
            "stop_sequence": self.stop_sequence,
        }
        return {**message, "usage": self.usage.as_json()} if self.has_usage else message


def answer(reply: Reply, request: MessagesRequest, usage: Usage) -> Answer:
    """The answer to this request, cut where `stop_sequences` or `max_tokens` end it."""
    pieces = list(reply.pieces)
    if request.tool_choice and request.tool_choice.disable_parallel_tool_use:
        pieces = _with_one_call(pieces)
    pieces, sequence = _until_sequence(pieces, request.stop_sequences)
    pieces, is_cut = _within(pieces, request.max_tokens)
    has_calls = any(isinstance(piece, Use) for piece in pieces)
    stop_reason: str | None = "tool_use" if has_calls else "end_turn"
    if reply.names_its_stop:
        stop_reason = reply.stop_reason
    if sequence is not None:
        stop_reason = "stop_sequence"
    if is_cut:
        stop_reason = "max_tokens"
    output = sum(tokens_of(_words(piece)) for piece in pieces)
    whole = Answer(
        request.model, tuple(_blocks(pieces)), stop_reason, replace(usage, output_tokens=output), stop_sequence=sequence
    )
    return cut_in_last_call(whole) if is_cut and isinstance(pieces[-1], Use) else whole


def cut_in_last_call(whole: Answer) -> Answer:
    """`max_tokens` in the middle of the last call: its arguments are incomplete, and nothing says so but the reason."""
    last = max(index for index, block in enumerate(whole.blocks) if block.get("type") == "tool_use")
    block = whole.blocks[last]
    told = json.dumps(block["input"], ensure_ascii=False)
    arguments = block["input"] if isinstance(block["input"], dict) else {}
    half: JsonObject = dict(list(arguments.items())[: len(arguments) // 2])
    blocks = (*whole.blocks[:last], {**block, "input": half})
    return replace(whole, blocks=blocks, stop_reason="max_tokens", cut_arguments=told[: len(told) // 2])


def _with_one_call(pieces: list[Piece]) -> list[Piece]:
    first = next((piece for piece in pieces if isinstance(piece, Use)), None)
    return [piece for piece in pieces if not isinstance(piece, Use) or piece is first]


def _until_sequence(pieces: list[Piece], sequences: list[str]) -> tuple[list[Piece], str | None]:
    for index, piece in enumerate(pieces):
        if isinstance(piece, Say):
            found = [(at, sequence) for sequence in sequences if (at := piece.text.find(sequence)) >= 0]
            if found:
                at, sequence = min(found)
                return [*pieces[:index], *([Say(piece.text[:at])] if at else [])], sequence
    return pieces, None


def _within(pieces: list[Piece], most: int) -> tuple[list[Piece], bool]:
    """The pieces that fit; the first that does not is cut short and is the last."""
    kept: list[Piece] = []
    left = most
    for piece in pieces:
        need = tokens_of(_words(piece))
        if need > left:
            return ([*kept, _shortened(piece, left)] if left else kept), True
        kept.append(piece)
        left -= need
    return kept, False


def _shortened(piece: Piece, tokens: int) -> Piece:
    match piece:
        case Say(text):
            return Say(text[: tokens * CHARACTERS_PER_TOKEN])
        case Think(text):
            return Think(text[: tokens * CHARACTERS_PER_TOKEN])
        case _:
            return piece  # a call is cut in its arguments, by `cut_in_last_call`


def _words(piece: Piece) -> str:
    match piece:
        case Say(text) | Think(text):
            return text
        case Use(tool, arguments):
            return f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
        case Raw(block):
            return json.dumps(block, ensure_ascii=False)


def _blocks(pieces: list[Piece]) -> Iterator[JsonObject]:
    before: list[JsonValue] = []
    for piece in pieces:
        match piece:
            case Say(text):
                before.append(["text", text])
                yield {"type": "text", "text": text, "citations": None}
            case Think(text):
                before.append(["thinking", text, signature(text)])
                yield {"type": "thinking", "thinking": text, "signature": signature(text)}
            case Use(tool, arguments):
                call_id = tool_use_id(before, tool, arguments)
                before.append(["tool_use", call_id])
                yield {
                    "type": "tool_use",
                    "id": call_id,
                    "name": tool,
                    "input": arguments,
                    "caller": {"type": "direct"},
                }
            case Raw(block):
                before.append(["other", block.get("type")])
                yield block
