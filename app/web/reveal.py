"""What does foreign text hide? Cuts it into pieces, so that pages can show hidden characters and look-alikes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

SHOWN_AS_THEY_ARE = "\n\t"
JOINERS = "\u200c\u200d\ufe0e\ufe0f"  # hold emoji or Persian words together; marked between plain letters
BLANK_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters or signs that draw nothing


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text; `mark` names in capitals what cannot be seen or is not what it looks like."""

    text: str
    mark: str = ""
    visible: bool = True  # a look-alike letter can be seen; what hides is shown by its mark alone


def reveal(text: str) -> tuple[Piece, ...]:
    """Foreign text, with every hidden character as a piece of its own."""
    return tuple(_pieces(text, _hidden))


def reveal_address(address: str) -> tuple[Piece, ...]:
    """A line with an address in it: a letter outside of plain Latin is marked there, since one is enough to deceive.

    Beside the address (a name, the words "Envoyer un e-mail à") accents are no deceit; another alphabet may be.
    """
    strict = {place for word in re.finditer("[^ ]+", address) if "@" in word[0] for place in range(*word.span())}
    return tuple(_pieces(address, lambda text, at: _hidden(text, at) or _deceives(text[at], strict=at in strict)))


def _pieces(text: str, marked: Callable[[str, int], bool]) -> Iterator[Piece]:
    for is_marked, group in groupby(range(len(text)), key=lambda place: marked(text, place)):
        places = list(group)
        if not is_marked:
            yield Piece(text[places[0] : places[-1] + 1])
            continue
        for name, same in groupby((text[place] for place in places), key=_name):
            letters = "".join(same)
            seen = letters[0].isalnum() and letters[0] not in BLANK_LETTERS
            yield Piece(letters, name if seen or len(letters) == 1 else f"{name} ×{len(letters)}", visible=seen)


def _hidden(text: str, place: int) -> bool:
    letter = text[place]
    if letter in SHOWN_AS_THEY_ARE or letter == "\r":
        return False
    if letter in JOINERS:
        return _plain_around(text, place)
    if "\ufe00" <= letter <= "\ufe0d" or "\U000e0100" <= letter <= "\U000e01ef":
        return True  # selectors that change nothing on most letters, and can carry a text nobody sees
    return letter in BLANK_LETTERS or unicodedata.category(letter) in {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}


def _deceives(letter: str, *, strict: bool) -> bool:
    if letter.isascii():
        return False
    return strict or (letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN"))


def _plain_around(text: str, place: int) -> bool:
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    return (before.isascii() and after.isascii()) or before in JOINERS


def _name(letter: str) -> str:
    """What hides by its number and name; a letter that can be seen by its alphabet, so that neighbours share a mark."""
    name = unicodedata.name(letter, "").lower()
    if letter.isalpha() and letter not in BLANK_LETTERS and not name.startswith("latin"):
        return name.split(" ")[0].capitalize()
    return f"U+{ord(letter):04X} {name}".strip()
