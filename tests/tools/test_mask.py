"""A stored secret stays inside, however it is written, also where a text comes in pieces (RELIABILITY B18)."""

import base64
import html
import json
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote, quote_plus

import pytest

from app.tools.mask import MASKED, MaskedStream, mask, mask_value

SECRETS = {
    "key": 's3cr3t/Key+With=Ünusual "quotes" & <marks>',
    "plain": "sk-live-0123456789abcdef",
    "short": "abcdefgh",
}


def encodings() -> Iterator[tuple[str, Callable[[str], str]]]:
    yield "plain", str
    yield "json", json.dumps
    yield "json twice", lambda v: json.dumps(json.dumps(v))
    yield "json, no ascii", lambda v: json.dumps(v, ensure_ascii=False)
    yield "json, every character", lambda v: "".join(f"\\u{ord(c):04X}" for c in v)
    yield "html", html.escape
    yield "html, quotes left", lambda v: html.escape(v, quote=False)
    yield "html, decimal", lambda v: "".join(f"&#{ord(c)};" for c in v)
    yield "html, hexadecimal", lambda v: "".join(f"&#x{ord(c):X};" for c in v)
    yield "html in html", lambda v: html.escape("".join(f"&#{ord(c)};" for c in v))
    yield "percent", quote
    yield "percent, all", lambda v: quote(v, safe="")
    yield "percent, every byte", lambda v: "".join(f"%{b:02x}" for b in v.encode())
    yield "percent twice", lambda v: quote(quote(v, safe=""), safe="")
    yield "form", quote_plus
    yield "hex", lambda v: v.encode().hex()
    yield "HEX", lambda v: v.encode().hex().upper()
    for shift in range(3):
        yield f"base64 {shift}", lambda v, s=shift: base64.b64encode(b"x" * s + v.encode() + b"yz").decode()
        yield f"base64url {shift}", lambda v, s=shift: base64.urlsafe_b64encode(b"?" * s + v.encode()).decode()


WAYS = dict(encodings())


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("way", WAYS)
def test_a_secret_is_masked_in_every_encoding(name: str, way: str) -> None:
    written = WAYS[way](SECRETS[name])
    told = mask(f"before {written} after", SECRETS)
    assert MASKED in told and told.startswith("before ") and told.endswith(" after")
    assert SECRETS[name] not in told and written not in told


def test_a_mixture_of_escapes_is_masked() -> None:
    assert mask("x s%6b-live&#45;012345678\\u0039abcdef x", SECRETS) == f"x {MASKED} x"


def test_ordinary_words_are_left_alone() -> None:
    text = "The order MC-1042 of abcdefg costs 24.50 EUR; see %20 and &amp; and \\n."
    assert mask(text, {**SECRETS, "tiny": "order", "shop_url": "see %20 and"}) == text


def test_each_text_of_a_value_is_masked_and_the_rest_is_as_it_was() -> None:
    value = {"a": [SECRETS["plain"], 3, None, True], SECRETS["plain"]: {"b": f"={SECRETS['plain']}="}}
    assert mask_value(value, SECRETS) == {"a": [MASKED, 3, None, True], MASKED: {"b": f"={MASKED}="}}


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("way", ["plain", "html, decimal", "base64 1", "json, every character"])
def test_a_secret_across_the_borders_of_pieces_is_masked(size: int, way: str) -> None:
    text = f"{'a' * 500}{WAYS[way](SECRETS['plain'])}{'b' * 500}"
    stream = MaskedStream(SECRETS)
    shown = "".join(stream.feed(text[at : at + size]) for at in range(0, len(text), size)) + stream.end()
    assert shown == mask(text, SECRETS) and MASKED in shown


def test_sixty_secrets_in_a_long_text_do_not_hold_up_the_work() -> None:
    many = {f"key{n}": f"secret number {n} of sixty" for n in range(60)}
    text = json.dumps({"page": "secret number of nothing & more % \\ " * 550})
    mask(text, many)  # the patterns are made once
    began = time.perf_counter()
    mask(text, many)
    assert time.perf_counter() - began < 3.0
