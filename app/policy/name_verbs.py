"""Which words of a name are its verbs? The same word is a verb in one place and a noun in another.

`archive_list` archives and `show_archive` shows; `order_cancel` cancels and `list_orders` lists. In doubt it is a verb.
"""

from dataclasses import dataclass
from typing import Final

from app.policy.name_words import one_of
from app.policy.nouns import ACTS, KEPT, MAKES_NOUN, MAKES_TOLD, PLAIN, TELLS, TOLD_FIRST
from app.policy.verbs import (
    ACT,
    ACTS_WITH,
    DELETE,
    DRAFT,
    HYPOTHETICAL,
    NOUN_OR_VERB,
    ORGANIZE,
    PREPOSITIONS,
    READ,
    READ_OR_NOUN,
    READS_ONLY_WITH,
    VERB_OR_NOUN,
    WRITE,
)
from app.policy.word_list import words

# Verbs of tidying that are harmless with any object that does not itself act.
HARMLESS_ALONE: Final = words(
    "tag untag label relabel star unstar pin unpin bookmark unbookmark favorite favourite unfavorite snooze"
)
# Behind a reading verb, at the end, these are things: `get_latest_update`.
# Verbs of a question, which stand first or are none.
ASKS: Final = words("is has can are does was did who what when where which how why")
THINGS_AT_THE_END: Final = words("update upload import change edit answer response close switch")


@dataclass(frozen=True)
class Found:
    """A verb of the name, its effect, and the words that are its object."""

    word: str
    effect: str
    object: tuple[str, ...] = ()
    alone: bool = False


def verbs_in(part: list[str]) -> list[Found]:
    """The verbs of one part of a name (between two `and`), each with its effect."""
    if part[:2] == ["dry", "run"]:
        return [_found(part, 1, "read")]
    certain = {place: effect for place, word in enumerate(part) if (effect := _certain(word)) is not None}
    reading = _reading(part, certain)
    if reading is not None and part[reading] in HYPOTHETICAL and reading == 0:
        return [_found(part, 0, "read")]
    dangerous = {p: e for p, e in certain.items() if e != "read" and not _is_thing(part, p, reading)}
    before = min([*dangerous, *([reading] if reading is not None else [])], default=len(part))
    dangerous |= _ambiguous(part, before, reading, certain)
    if dangerous:
        return [_found(part, place, effect) for place, effect in dangerous.items()]
    return [] if reading is None else [_read(part, reading)]


def _certain(word: str) -> str | None:
    """The effect of a word that is a verb wherever it stands."""
    if word in VERB_OR_NOUN or word in NOUN_OR_VERB or word in READS_ONLY_WITH or word in READ_OR_NOUN:
        return None
    for effect, verbs in (("delete", DELETE), ("act", ACT), ("write", WRITE), ("organize", ORGANIZE), ("read", READ)):
        if word in verbs:
            return effect
    return None


def _reading(part: list[str], certain: dict[int, str]) -> int | None:
    """Where the first verb of reading stands. One that may be a noun needs something that can be read."""
    for place, word in enumerate(part):
        if certain.get(place) == "read" and (place == 0 or word not in ASKS):
            return place
        if word in READ_OR_NOUN and (place == 0 or _has_object(part, place) or _ends_things(part, place)):
            return place
        if word in READS_ONLY_WITH and any(one_of(other, READS_ONLY_WITH[word]) for other in part[place + 1 :]):
            return place
    return None


def _is_noun(word: str) -> bool:
    if word in NOUN_OR_VERB:
        return True
    return word not in VERB_OR_NOUN and any(one_of(word, nouns) for nouns in (KEPT, ACTS, PLAIN, TELLS))


def _has_object(part: list[str], place: int) -> bool:
    """`outlook_list_emails`: after the name of a product, with something known to be listed."""
    after = _object(part[place:], 0)
    if part[place] == "read" and after and part[place - 1] not in (VERB_OR_NOUN.keys() | PREPOSITIONS):
        return True
    return part[place - 1] not in VERB_OR_NOUN and any(word.endswith("s") or _is_noun(word) for word in after)


def _ends_things(part: list[str], place: int) -> bool:
    """`orders_list`: at the end, after something that can be listed."""
    return place == len(part) - 1 and _is_noun(part[place - 1])


def _is_thing(part: list[str], place: int, reading: int | None) -> bool:
    """A dangerous verb that is a noun here: `get_delete_status`, `purge_report_get`, `get_latest_update`."""
    if reading is None:
        return False
    after = part[place + 1] if place + 1 < len(part) else ""
    if reading < place:
        named = part[place] in WRITE and part[place - 1] in PREPOSITIONS
        return (
            part[place] in ORGANIZE or named or after in MAKES_NOUN or (not after and part[place] in THINGS_AT_THE_END)
        )
    return reading == len(part) - 1 and reading > place + 1 and (after in MAKES_NOUN or after in READ_OR_NOUN)


def _ambiguous(part: list[str], before: int, reading: int | None, certain: dict[int, str]) -> dict[int, str]:
    """Words that may be verbs count where no verb stands before them and no plain reading verb ends the name."""
    last_word_reads = reading is not None and reading == len(part) - 1 and reading in certain
    found: dict[int, str] = {}
    for place, word in enumerate(part[:before]):
        if word in DRAFT:
            return found or {place: "draft"}
        if word in READS_ONLY_WITH and reading is None:
            found[place] = "act"
        elif word in NOUN_OR_VERB:
            told = certain or found or reading is not None or part[-1] in MAKES_TOLD or part[0] in TOLD_FIRST
            found |= {} if told else {place: VERB_OR_NOUN.get(word, "act")}
        elif word in VERB_OR_NOUN and not last_word_reads:
            found[place] = VERB_OR_NOUN[word]
    return found


def _read(part: list[str], place: int) -> Found:
    """A reading verb, unless its object makes it something else: fetching funds is not reading."""
    word = part[place]
    if any(one_of(other, ACTS_WITH.get(word, frozenset())) for other in part[place + 1 :]):
        return _found(part, place, "act")
    return _found(part, place, "read")


def _found(part: list[str], place: int, effect: str) -> Found:
    return Found(part[place], effect, _object(part, place), part[place] in HARMLESS_ALONE)


def _object(part: list[str], place: int) -> tuple[str, ...]:
    """What the verb is about: what follows up to a preposition, or what stands before it at the end of a name."""
    after: list[str] = []
    for word in part[place + 1 :]:
        if word in PREPOSITIONS:
            break
        after.append(word)
    around = after or part[:place][-1:]
    return tuple(dict.fromkeys((*around[-1:], *around[:1])))
