"""How does a stored secret stay inside? It is masked wherever text comes back, plain or encoded (RELIABILITY B18)."""

import base64
import html
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from urllib.parse import quote, quote_plus

SHORTEST = 8  # characters: a shorter secret would eat ordinary words
MASKED = "•••"
NOT_SECRET = ("mail_from", "shop_url")  # addresses that are told freely


def mask(text: str, secrets: Mapping[str, str]) -> str:
    """`text` without any of the secrets, in whatever of the usual encodings they stand."""
    values = tuple(
        sorted(value for name, value in secrets.items() if name not in NOT_SECRET and len(value) >= SHORTEST)
    )
    return _pattern(values).sub(MASKED, text) if values else text


@lru_cache(maxsize=1000)
def _pattern(values: tuple[str, ...]) -> re.Pattern[str]:
    forms = {form for value in values for form in _forms(value) if len(form) >= SHORTEST}
    longest_first = sorted(forms, key=len, reverse=True)
    return re.compile("|".join(re.escape(form) for form in longest_first))


def _forms(value: str) -> Iterator[str]:
    raw = value.encode()
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(json.dumps(value)[1:-1])[1:-1]
    yield html.escape(value)
    yield "".join(f"&#{ord(character)};" for character in value)
    yield "".join(f"&#x{ord(character):x};" for character in value)
    yield quote(value, safe="")
    yield quote_plus(value)
    yield "".join(f"%{byte:02X}" for byte in raw)
    yield "".join(f"%{byte:02x}" for byte in raw)
    yield raw.hex()
    yield raw.hex().upper()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for shift in range(3):
            yield _inner(encode(b"\0" * shift + raw).decode(), shift, len(raw))


def _inner(encoded: str, shift: int, length: int) -> str:
    """The characters of a base64 text that depend on the secret alone, whatever stands before and after it."""
    first = -(-shift * 8 // 6)
    last = (shift + length) * 8 // 6
    return encoded[first:last]
