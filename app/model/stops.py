"""What does an answer's end mean? One table: stop reason by whether it holds calls (DESIGN section 4)."""

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
KNOWN_BLOCKS = frozenset({"text", "tool_use", "thinking", "redacted_thinking"})


def then(stop_reason: str | None, blocks: list[JsonValue]) -> Then:
    """What happens after this answer. What is not known is unreadable (fault M8)."""
    if not blocks or not all(isinstance(block, dict) and block.get("type") in KNOWN_BLOCKS for block in blocks):
        return Then.UNREADABLE
    ids = [str(block["id"]) for block in calls_in(blocks)]
    if len(ids) != len(set(ids)):
        return Then.UNREADABLE  # two calls with one id: no result could say which it answers (fault M7)
    return TABLE.get((stop_reason, bool(ids)), Then.UNREADABLE)


def calls_in(blocks: list[JsonValue]) -> list[dict[str, JsonValue]]:
    """The blocks that ask for a tool, in their order."""
    return [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"]


def text_in(blocks: list[JsonValue]) -> str:
    """What it says."""
    texts = [str(block.get("text", "")) for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n\n".join(text for text in texts if text.strip())
