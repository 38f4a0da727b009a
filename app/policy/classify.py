"""What kind is a tool that somebody else wrote, and why do we think so?

Every verb in the name counts and the most dangerous wins; the object decides with the verb; parameters, the description
and annotations may only make it stricter; what is unknown is `act`. The vocabulary is in `verbs.py` and `nouns.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from app.policy.cautions import from_annotations, from_description, from_parameters, names_of
from app.policy.decision import Kind
from app.policy.name_verbs import Found, verbs_in
from app.policy.name_words import one_of, parts, split, unreadable
from app.policy.nouns import ACTS, DISCUSSED, HIDES, KEPT, MARKS, PLAIN, TELLS, TIDIED
from app.policy.verbs import (
    ACT_IDIOMS,
    DELETE_IDIOMS,
    DRAFT,
    FILLERS,
    MARKING,
    PREPOSITIONS,
    VERB_OR_NOUN,
)
from app.policy.words import N_

REASONS: Final[Mapping[str, str]] = {
    "delete_verb": N_("“{0}” in the name removes or ends something."),
    "act_verb": N_("“{0}” in the name has an effect that others notice or that is hard to undo."),
    "object_acts": N_("“{0}” together with “{1}” has an effect that others notice or that is hard to undo."),
    "object_unknown": N_("“{0}” changes something, and we do not know what."),
    "object_kept": N_("“{0}” together with “{1}” writes something that stays inside and can be changed again."),
    "draft": N_("“{0}” in the name: it prepares something and sends nothing."),
    "organize": N_("“{0}” in the name only tidies up."),
    "read_verb": N_("“{0}” in the name only looks things up."),
    "read_nouns": N_("The name does nothing: it names what is shown, “{0}”."),
    "parameter": N_("It can be given “{0}”, which has an effect that others notice."),
    "description": N_("Its own description says “{0}”."),
    "annotation": N_("The service itself marks it as more than harmless (“{0}”)."),
    "unreadable": N_("The name is written in a way that we cannot read, so we are careful."),
    "unknown": N_("We do not know what it does, so we are careful."),
}
# A parameter is somebody else's text: the sentence quotes this many characters of it.
QUOTED: Final = 60


@dataclass(frozen=True)
class Guess:
    """A kind, and the key and the words of the sentence that says why."""

    kind: Kind
    reason: str
    words: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        return sentence(self.reason, self.words)


def sentence(reason: str, words: tuple[str, ...], template: str | None = None) -> str:
    """The reason in English, or in the translated template that the caller looked up."""
    return (template or REASONS[reason]).format(*words)


def guess(
    name: str, description: str | None, parameters: Mapping[str, object], annotations: Mapping[str, object]
) -> Guess:
    """The kind of a foreign tool: from its name, then made stricter by everything else that is known."""
    found = from_name(name)
    arguments = names_of(parameters)
    kind, word = from_parameters(arguments, found.kind, sure_read=found.reason == "read_verb")
    found = _stricter(found, kind, "parameter", word)
    kind, word = from_description(description)
    found = _stricter(found, kind, "description", word)
    kind, word = from_annotations(annotations, found.kind)
    return _stricter(found, kind, "annotation", word)


def for_added_server(found: Guess) -> Kind:
    """A server that somebody added by hand only reads or, at the least, acts."""
    return found.kind if found.kind is Kind.READ else max(found.kind, Kind.ACT)


def _stricter(found: Guess, kind: Kind, reason: str, word: str) -> Guess:
    return replace(found, kind=kind, reason=reason, words=(word[:QUOTED],)) if kind > found.kind else found


def from_name(name: str) -> Guess:
    """The most dangerous thing that the name says."""
    words = split(name)
    if not words or unreadable(name):
        return Guess(Kind.ACT, "unreadable")
    idiom = _idiom([word for word in words if word not in FILLERS or word in ("all", "on")])
    if idiom is not None:
        return idiom
    guesses = [_from_verb(verb, words) for part in parts(words) for verb in verbs_in(part)]
    if not guesses:
        return _from_nouns(words)
    return max(guesses, key=lambda one: one.kind.rank)


def _idiom(words: list[str]) -> Guess | None:
    """Two words that say together what neither says alone, side by side or around a preposition."""
    bare = [word for word in words if word not in PREPOSITIONS]
    for pair in [*pairwise(words), *pairwise(bare)]:
        if pair in DELETE_IDIOMS:
            return Guess(Kind.DELETE, "delete_verb", (" ".join(pair),))
        if pair in ACT_IDIOMS:
            return Guess(Kind.ACT, "act_verb", (" ".join(pair),))
    return None


def _from_verb(verb: Found, words: list[str]) -> Guess:
    match verb.effect:
        case "read":
            return Guess(Kind.READ, "read_verb", (verb.word,))
        case "delete":
            return Guess(Kind.DELETE, "delete_verb", (verb.word,))
        case "draft":
            return Guess(Kind.DRAFT, "draft", (verb.word,))
        case "write":
            return _by_object(verb, words, Kind.DRAFT)
        case "organize":
            return _by_object(verb, words, Kind.ORGANIZE)
        case _:
            return Guess(Kind.ACT, "act_verb", (verb.word,))


def _by_object(verb: Found, words: list[str], kind: Kind) -> Guess:
    """Creating a note is not creating a refund: one acting noun anywhere is enough; a kept one must be the object."""
    others = [word for word in words if word != verb.word]
    drafted = next((word for word in others if word in DRAFT), None)
    if drafted is not None:
        return Guess(Kind.DRAFT, "draft", (drafted,))
    marked = next((word for word in others if kind is Kind.ORGANIZE and word in MARKS), None)
    tidied = TIDIED if verb.alone or marked else frozenset[str]()
    acting = next((word for word in others if one_of(word, ACTS) and not one_of(word, tidied)), None)
    if acting is None and {"note", "notes"} & {*others} and any(one_of(word, DISCUSSED) for word in others):
        acting = "note"
    if acting is not None:
        return Guess(Kind.ACT, "object_acts", (verb.word, acting))
    kept = marked or next((word for word in verb.object if one_of(word, KEPT)), None)
    if kind is Kind.ORGANIZE and (verb.alone or (marked if verb.word in MARKING else kept)):
        return Guess(Kind.ORGANIZE, "organize", (verb.word,))
    if kept is not None and kind is Kind.DRAFT:
        return Guess(kind, "object_kept", (verb.word, kept))
    return Guess(Kind.ACT, "object_unknown", (verb.word,))


def _from_nouns(words: list[str]) -> Guess:
    """No verb at all: reading where the name says what is told, and nothing in it could be a verb we do not know."""
    if len(words) > 1 and not any(word.removesuffix("s") in HIDES for word in words):
        telling = next((word for word in (words[-1], words[0]) if word in TELLS), None)
        if telling is None and words[-1].endswith("s") and all(_is_known_thing(word) for word in words):
            telling = words[-1]
        if telling is not None:
            return Guess(Kind.READ, "read_nouns", (telling,))
    return Guess(Kind.ACT, "unknown")


def _is_known_thing(word: str) -> bool:
    return word not in VERB_OR_NOUN and any(one_of(word, nouns) for nouns in (KEPT, PLAIN, ACTS))
