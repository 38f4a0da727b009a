"""How does a stored secret stay inside? It is masked wherever text comes back, plain or encoded (RELIABILITY B18).

Each character of a secret may stand there as itself or escaped (percent, HTML, JSON), and mixed; the whole of it may be
hex or base64, at any of the three places where base64 can begin.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pydantic import JsonValue

SHORTEST = 8  # characters: a shorter secret would eat ordinary words
MASKED = "•••"
NOT_SECRET = ("mail_from", "mail_service", "mail_user", "shop_url")  # addresses that are told freely
LONGEST_ESCAPE = 12  # characters that one character of a secret may take: `&amp;#x00e9;`
HTML = {'"': "quot", "'": "apos", "&": "amp", "<": "lt", ">": "gt"}
JSON = {"\n": "n", "\t": "t", "\r": "r", "\b": "b", "\f": "f"}


def mask(text: str, secrets: Mapping[str, str]) -> str:
    """`text` without any of the secrets, in whatever of the usual encodings they stand."""
    for value in _values(secrets):
        text = _pattern(value).sub(MASKED, text)
    return text


def mask_value(value: JsonValue, secrets: Mapping[str, str]) -> JsonValue:
    """The same for each text of a value, names included: what is kept is masked before it is cut or encoded."""
    match value:
        case str():
            return mask(value, secrets)
        case list():
            return [mask_value(item, secrets) for item in value]
        case dict():
            return {mask(name, secrets): mask_value(item, secrets) for name, item in value.items()}
        case _:
            return value


class MaskedStream:
    """Text that comes in pieces: what could be the beginning of a secret is held back until it is known."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._secrets = secrets
        self._held_back = max((len(value) for value in _values(secrets)), default=0) * LONGEST_ESCAPE
        self._kept = ""

    def feed(self, piece: str) -> str:
        """What of the text so far can be shown."""
        self._kept = mask(self._kept + piece, self._secrets)
        shown = max(0, len(self._kept) - self._held_back)
        piece, self._kept = self._kept[:shown], self._kept[shown:]
        return piece

    def end(self) -> str:
        """The rest."""
        rest, self._kept = mask(self._kept, self._secrets), ""
        return rest


def _values(secrets: Mapping[str, str]) -> list[str]:
    """The longest first: one secret may be a part of another."""
    found = {value for name, value in secrets.items() if name not in NOT_SECRET and len(value) >= SHORTEST}
    return sorted(found, key=len, reverse=True)


@lru_cache(maxsize=2000)
def _pattern(value: str) -> re.Pattern[str]:
    raw = value.encode()
    whole = "".join(f"(?:{'|'.join(_ways(character))})" for character in value)
    encoded = sorted({form for form in _base64(raw) if len(form) >= SHORTEST}, key=len, reverse=True)
    hexadecimal = _either(raw.hex())
    return re.compile("|".join([whole, hexadecimal, *map(re.escape, encoded)]))


def _ways(character: str) -> Iterator[str]:
    """How one character can be written: as itself, or escaped once or twice."""
    yield re.escape(character)
    yield "".join(f"%(?:25)*{_either(f'{byte:02x}')}" for byte in character.encode())
    code = ord(character)
    yield f"&(?:amp;)*#0*{code};"
    yield f"&(?:amp;)*#[xX]0*{_either(f'{code:x}')};"
    if character in HTML:
        yield f"&(?:amp;)*{HTML[character]};"
    units = character.encode("utf-16-be")
    yield "".join(rf"\\+u{_either(units[at : at + 2].hex())}" for at in range(0, len(units), 2))
    if character in JSON:
        yield rf"\\+{JSON[character]}"
    if character in '"\\/':
        yield rf"\\+{re.escape(character)}"
    if character == " ":
        yield r"\+"


def _either(hexadecimal: str) -> str:
    """Hexadecimal digits in either case."""
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in hexadecimal)


def _base64(raw: bytes) -> Iterator[str]:
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for shift in range(3):
            yield _inner(encode(b"\0" * shift + raw).decode(), shift, len(raw))


def _inner(encoded: str, shift: int, length: int) -> str:
    """The characters of a base64 text that depend on the secret alone, whatever stands before and after it."""
    first = -(-shift * 8 // 6)
    last = (shift + length) * 8 // 6
    return encoded[first:last]
