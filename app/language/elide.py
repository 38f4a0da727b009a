"""Where does French drop a vowel? It is “la tâche d’Omar”, not “de Omar”; the names come later than the sentence."""

import re
import unicodedata
from collections.abc import Mapping

SHORTENED = re.compile(r"\b([Dd]|[Qq]u)e %\((\w+)\)s")
VOWELS = frozenset("aeiou")  # before h and y it depends on the word, and the long form is right for most names
TAGS = re.compile(r"<[^>]*>")


def elide(sentence: str, facts: Mapping[str, object]) -> str:
    """A French sentence with its placeholders, “de” and “que” shortened before those that begin with a vowel."""
    return SHORTENED.sub(lambda found: _shortened(found, facts), sentence)


def _shortened(found: re.Match[str], facts: Mapping[str, object]) -> str:
    value = TAGS.sub("", str(facts.get(found[2], ""))).lstrip()
    first = unicodedata.normalize("NFKD", value[:1]).lower()[:1]
    return f"{found[1]}’%({found[2]})s" if first in VOWELS else found[0]
