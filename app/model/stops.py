"""What does an answer's end mean? One table: stop reason by whether it holds calls (DESIGN section 4)."""

import re
from collections.abc import Collection
from enum import StrEnum

from pydantic import JsonValue


class Then(StrEnum):
    """What happens after an answer."""

    CALLS = "calls"  # decide and run its calls
    DONE = "done"  # its text is the last word
    RAISE_CAP = "raise_cap"  # cut: asked again with a higher cap, then the run fails saying so
    AS_IT_IS = "as_it_is"  # sent back as it is, the model goes on
    REFUSED = "refused"  # the model will not
    FULL = "full"  # no room left
    UNREADABLE = "unreadable"  # refused whole; asked again once


TABLE: dict[tuple[str | None, bool], Then] = {
    ("end_turn", False): Then.DONE,
    ("end_turn", True): Then.CALLS,
    ("tool_use", True): Then.CALLS,
    ("tool_use", False): Then.UNREADABLE,
    ("stop_sequence", False): Then.DONE,
    ("stop_sequence", True): Then.CALLS,
    ("max_tokens", False): Then.RAISE_CAP,
    ("max_tokens", True): Then.RAISE_CAP,  # the last call may be half-written: none of them runs
    ("pause_turn", False): Then.AS_IT_IS,
    ("pause_turn", True): Then.UNREADABLE,
    ("refusal", False): Then.REFUSED,
    ("refusal", True): Then.REFUSED,
    ("model_context_window_exceeded", False): Then.FULL,
    ("model_context_window_exceeded", True): Then.FULL,
    (None, False): Then.UNREADABLE,
    (None, True): Then.UNREADABLE,
}
KEPT = frozenset({Then.CALLS, Then.DONE, Then.AS_IT_IS})  # such an answer is sent back with every later request
ID = re.compile(r"[a-zA-Z0-9_-]+")  # what the API takes back
LONGEST_NAME = 200


def then(stop_reason: str | None, blocks: list[JsonValue], *, seen: Collection[str] = ()) -> Then:
    """What happens after this answer; `seen` are the ids of earlier calls. What is not known is unreadable (fault M8).

    So is what could not be sent back: one such answer would make every later request invalid (promise 6).
    """
    calls = calls_in(blocks)
    what = TABLE.get((stop_reason, bool(calls)), Then.UNREADABLE)
    if what not in KEPT:
        return what
    ids = [call.get("id") for call in calls]
    if len(ids) != len(set(map(str, ids))) or any(one in seen for one in ids):
        return Then.UNREADABLE  # two calls with one id: no result could say which it answers (fault M7)
    if not all(isinstance(block, dict) and _goes_back(block) for block in blocks):
        return Then.UNREADABLE
    said = text_in(blocks)
    if what is Then.DONE and not said:
        return Then.UNREADABLE  # silence is no last word
    if what is Then.AS_IT_IS and (not said or said != said.rstrip()):
        return Then.UNREADABLE
    return what


def _goes_back(block: dict[str, JsonValue]) -> bool:
    """Whether the API would take this block as a part of the conversation."""
    match block:
        case {"type": "text", "text": str(text)}:
            return bool(text.strip())
        case {"type": "tool_use", "id": str(call_id), "name": str(name), "input": dict()}:
            return bool(ID.fullmatch(call_id)) and name.isprintable() and 0 < len(name) <= LONGEST_NAME
        case {"type": "thinking" | "redacted_thinking"}:
            return True
        case _:
            return False


def calls_in(blocks: list[JsonValue]) -> list[dict[str, JsonValue]]:
    """The blocks that ask for a tool, in their order."""
    return [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"]


def text_in(blocks: list[JsonValue]) -> str:
    """What it says."""
    texts = [str(block.get("text", "")) for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n\n".join(text for text in texts if text.strip())
