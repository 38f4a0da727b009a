"""Which words is the name of a tool made of, whatever its style: camelCase, kebab-case, dots, UPPER_CASE, accents?"""

import re
import unicodedata
from typing import Final

from app.policy.verbs import COMPOUNDS, FILLERS, JOINERS

GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
LONGEST: Final = 400


def fold(text: str) -> str:
    """`Überweisung` and `récupérer` as a keyboard without accents would write them."""
    spelled = unicodedata.normalize("NFC", text).translate(GERMAN)
    return "".join(c for c in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(c))


def split(name: str) -> list[str]:
    """The words in lower case, in order. A plural of capitals (`APIs`, `URLs`) stays one word."""
    plain = re.sub(r"([A-Z]{2,})s(?![a-z])", lambda m: m[1].capitalize() + "s", fold(name[:LONGEST]))
    return _joined([word.lower() for word in WORD.findall(plain)])


def _joined(words: list[str]) -> list[str]:
    """`pull_request` is one thing, and nothing is pulled or requested."""
    found: list[str] = []
    for word in words:
        if found and (found[-1], word) in COMPOUNDS:
            found[-1] = COMPOUNDS[found[-1], word]
        else:
            found.append(word)
    return found


def unreadable(name: str) -> bool:
    """Letters of a script that we cannot read may hide any verb."""
    return len(name) > LONGEST or any(c.isalpha() and not c.isascii() for c in fold(name))


def parts(words: list[str]) -> list[list[str]]:
    """`find_and_remove` is two things; the fillers (`all`, `the`, `batch`) say nothing about either."""
    found: list[list[str]] = [[]]
    for word in words:
        if word in JOINERS:
            found.append([])
        elif word not in FILLERS:
            found[-1].append(word)
    return [part for part in found if part]


def forms(word: str) -> tuple[str, ...]:
    """A noun as it stands and what its singular may be."""
    found = [word]
    if len(word) > 3:
        found += [word[:-3] + "y"] if word.endswith("ies") else []
        found += [word[:-2]] if word.endswith(("es", "en")) else []
        found += [word[:-1]] if word.endswith(("s", "n", "e", "x")) else []
    return tuple(found)


def one_of(word: str, nouns: frozenset[str]) -> bool:
    return any(form in nouns for form in forms(word))
