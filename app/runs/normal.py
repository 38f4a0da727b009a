"""When are two calls nearly the same? Words in another case or order are; other figures, negations, directions not."""

import re
import unicodedata

from pydantic import JsonValue

_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")
# Where one of these stands, the order of the words says something: "from Lyon to Paris".
_DIRECTIONS = frozenset(
    {"from", "to", "into", "onto", "for", "before", "after", "over", "under", "than", "minus"}
    | {"de", "du", "vers", "depuis", "avant", "apres", "pour", "sur", "sous", "von", "nach"}
)


def nearly(value: JsonValue) -> JsonValue:
    """The value with its words folded and sorted; numbers, ids and directions stay as they are."""
    if isinstance(value, str):
        words = [_folded(word) for word in _WORD.findall(value)]
        return " ".join(words if _DIRECTIONS & set(words) else sorted(words)) or value
    if isinstance(value, list):
        return [nearly(item) for item in value]
    if isinstance(value, dict):
        return {key: nearly(item) for key, item in value.items()}
    return value


def _folded(word: str) -> str:
    """Without case, accents and the plural's s."""
    if any(character.isdigit() for character in word):
        return word
    plain = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(character for character in plain if not unicodedata.combining(character))
    return bare[:-1] if len(bare) > 3 and bare.endswith("s") and not bare.endswith("ss") else bare
