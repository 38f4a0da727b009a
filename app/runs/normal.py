"""When are two calls nearly the same? Words in another case or order are; other numbers, ids, negations are not."""

import re
import unicodedata

from pydantic import JsonValue

_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")


def nearly(value: JsonValue) -> JsonValue:
    """The value with its words folded and sorted; numbers and ids stay as they are."""
    if isinstance(value, str):
        return " ".join(sorted(_folded(word) for word in _WORD.findall(value))) or value
    if isinstance(value, list):
        return [nearly(item) for item in value]
    if isinstance(value, dict):
        return {key: nearly(item) for key, item in value.items()}
    return value


def _folded(word: str) -> str:
    if any(character.isdigit() for character in word):
        return word
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))
