"""How does an answer look as a stream? The server-sent events of the API, in their order."""

import json
from collections.abc import Iterator
from dataclasses import replace

from pydantic import JsonValue

from app.model.practice.answer import Answer
from app.model.practice.refusal import error_body
from app.model.practice.request import JsonObject

PIECE = 40  # characters per delta


def events(answer: Answer, error: int | None = None) -> Iterator[bytes]:
    """The stream of this answer; `error` is a status whose event takes the place of the end."""
    start = replace(answer, blocks=(), stop_reason=None, stop_sequence=None)
    start = replace(start, usage=replace(answer.usage, output_tokens=1))
    yield _event("message_start", {"message": start.as_json()})
    yield _event("ping", {})
    for index, block in enumerate(answer.blocks):
        is_last = index == len(answer.blocks) - 1
        yield from _block(index, block, answer.cut_arguments if is_last else None)
    if error is not None:
        body = error_body(error, "Overloaded", "")
        yield f"event: error\ndata: {json.dumps(body)}\n\n".encode()
        return
    delta: JsonObject = {"stop_reason": answer.stop_reason, "stop_sequence": answer.stop_sequence}
    counted: JsonObject = {"usage": answer.usage.as_json()} if answer.has_usage else {}
    yield _event("message_delta", {"delta": delta, **counted})
    yield _event("message_stop", {})


def _block(index: int, block: JsonObject, cut: str | None) -> Iterator[bytes]:
    empty, deltas = _opened(block, cut)
    yield _event("content_block_start", {"index": index, "content_block": empty})
    for delta in deltas:
        yield _event("content_block_delta", {"index": index, "delta": delta})
    yield _event("content_block_stop", {"index": index})


def _opened(block: JsonObject, cut: str | None) -> tuple[JsonObject, list[JsonObject]]:
    """The block as it starts, and the deltas that fill it."""
    match block:
        case {"type": "text", "text": str(text)}:
            return {**block, "text": ""}, [{"type": "text_delta", "text": part} for part in _parts(text)]
        case {"type": "thinking", "thinking": str(text), "signature": str(signed)}:
            thoughts: list[JsonObject] = [{"type": "thinking_delta", "thinking": part} for part in _parts(text)]
            thoughts.append({"type": "signature_delta", "signature": signed})
            return {**block, "thinking": "", "signature": ""}, thoughts
        case {"type": "tool_use", "input": arguments}:
            told = json.dumps(arguments, ensure_ascii=False) if cut is None else cut
            return {**block, "input": {}}, [
                {"type": "input_json_delta", "partial_json": part} for part in ("", *_parts(told))
            ]
        case _:
            return block, []


def _parts(text: str) -> list[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def _event(name: str, fields: dict[str, JsonValue]) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **fields}, ensure_ascii=False)}\n\n".encode()
