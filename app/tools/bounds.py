"""How long may a result be, and how does the model learn what was left out?"""

import json
from collections.abc import Sequence

from pydantic import JsonValue

LONGEST_RESULT = 20_000  # characters; about 5,000 tokens: paid again with each later turn


def page(items: Sequence[JsonValue], *, offset: int, size: int, name: str = "items") -> dict[str, JsonValue]:
    """One page of `items`, with how many were left out and how to get them."""
    shown = list(items[offset : offset + size])
    left = max(0, len(items) - offset - size)
    result: dict[str, JsonValue] = {name: shown, "left_out": left}
    if left:
        result["to_get_more"] = f"call again with offset={offset + size}"
    return result


def for_model(value: JsonValue, *, provenance: str) -> str:
    """A result as the model reads it: JSON with its provenance, never longer than the ceiling."""
    whole = json.dumps({"provenance": provenance, "result": value}, ensure_ascii=False)
    if len(whole) <= LONGEST_RESULT:
        return whole
    inner = json.dumps(value, ensure_ascii=False)
    cut = inner[: LONGEST_RESULT - 400]
    note = f"{len(inner) - len(cut)} of {len(inner)} characters were left out. Ask for less, or for the next page."
    shorter = json.dumps({"provenance": provenance, "result_cut": cut, "left_out": note}, ensure_ascii=False)
    while len(shorter) > LONGEST_RESULT:  # escaping may have made it longer again
        cut = cut[: len(cut) * 3 // 4]
        shorter = json.dumps({"provenance": provenance, "result_cut": cut, "left_out": note}, ensure_ascii=False)
    return shorter
