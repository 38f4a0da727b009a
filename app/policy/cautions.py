"""What makes a guess stricter than the name alone: parameters, the description, the server's own annotations?

Nothing here ever loosens a guess: who wants a tool to pass as harmless writes the description too.
"""

import re
from collections.abc import Mapping
from typing import Final

from app.policy.decision import Kind
from app.policy.name_words import fold, split
from app.policy.verbs import ACT, DELETE, VERB_OR_NOUN
from app.policy.word_list import words

RECIPIENTS: Final = words("to cc bcc recipient recipients receiver destinataire destinatario empfaenger")
TEXTS: Final = words("body message subject text html content texte cuerpo mensaje nachricht betreff")
SENT_TEXTS: Final = words("body message")
METHOD: Final = words("method")
GUESTS: Final = words("attendees participants invitees guests notify publish password role permission")
PROGRAMS: Final = words("sql command cmd shell script javascript bash statement executable argv cypher")
CHOICES: Final = words("action operation")
PURSES: Final = words("iban card cvv wallet payee beneficiary payment account")
OWN_CHOICE: Final = words("publish send notify force confirm overwrite share")
ENDS: Final = words("archived trash trashed deleted published")
FLAGS: Final = words("dry skip no is was include exclude show has if")
AUXILIARY: Final = re.compile(r"\b(you |users? )?(?:may|can|could|might|will|also|then)\s+(?:also\s+|be\s+)?([a-z]+)")
CLAUSE: Final = re.compile(r"[.;:!?\n]+")
READABLE: Final = 2000


def names_of(parameters: Mapping[str, object]) -> list[str]:
    """The parameters of a JSON schema, or the keys of its properties when only these were given."""
    inner = parameters.get("properties")
    if isinstance(inner, Mapping):
        return [str(name) for name in inner]
    return [] if parameters.get("type") == "object" else [str(name) for name in parameters]


def from_parameters(names: list[str], kind: Kind, sure_read: bool) -> tuple[Kind, str]:
    """`sure_read`: the name has a clear verb of reading, so that `action` or `to` may well be a filter."""
    split_names = {name: split(name) for name in names}
    every = {word for found in split_names.values() for word in found}
    for wanted, holds in (
        (RECIPIENTS, every & RECIPIENTS and every & (SENT_TEXTS if sure_read else TEXTS)),
        (PURSES, "amount" in every and every & PURSES and not sure_read),
        (PROGRAMS, every & PROGRAMS),
        (METHOD, {"url", "method"} <= every and (not sure_read or "body" in every)),
    ):
        if holds:
            return Kind.ACT, next(name for name, found in split_names.items() if wanted & set(found))
    return (kind, "") if sure_read else _from_choices(split_names, kind)


def _from_choices(split_names: Mapping[str, list[str]], kind: Kind) -> tuple[Kind, str]:
    for name, found in split_names.items():
        if not found or found[0] in FLAGS:
            continue
        if (
            found[-1] in CHOICES
            or found[0] in OWN_CHOICE
            or GUESTS & set(found)
            or found[0] in DELETE
            or found[-1] in ENDS
        ):
            return Kind.ACT, name
    return kind, ""


def from_description(text: str | None) -> tuple[Kind, str]:
    """The first word of the text, and later only what is said of the tool itself (`Deletes …`, `may delete …`)."""
    strictest, why = Kind.READ, ""
    for place, clause in enumerate(CLAUSE.split(fold((text or "")[:READABLE]).lower())):
        for word in _verbs_of(clause, first=place == 0):
            kind = Kind.DELETE if word in DELETE else Kind.ACT
            if kind > strictest:
                strictest, why = kind, word
    return strictest, why


def _verbs_of(clause: str, first: bool) -> list[str]:
    found = [_certain_verb(m[2]) for m in AUXILIARY.finditer(clause) if not m[1]]
    start = re.match(r"\s*([a-z]+)\s*(?:(?:and|or)\s+([a-z]+))?", clause)
    if start:
        found += [word for word in start.groups() if word and (first or word.endswith("s"))]
    return [base for word in found if (base := _base(word)) is not None]


def _certain_verb(word: str) -> str:
    """After `can`, `trash` is a verb, whatever it is elsewhere."""
    return "delete" if VERB_OR_NOUN.get(word) == "delete" else word


def _base(word: str) -> str | None:
    """The dangerous verb that a word of a description is a form of, or None."""
    for form in (word, word[:-1] if word.endswith("s") else word, word[:-2] if word.endswith("es") else word):
        if (form in DELETE or form in ACT) and form not in VERB_OR_NOUN:
            return form
    return None


def from_annotations(annotations: Mapping[str, object], kind: Kind) -> tuple[Kind, str]:
    """A server that does not call its own tool reading is believed; one that does is not asked."""
    if annotations.get("readOnlyHint") is False and kind is Kind.READ:
        return Kind.ACT, "readOnlyHint"
    if annotations.get("destructiveHint") is True and annotations.get("readOnlyHint") is not True and kind < Kind.ACT:
        return Kind.ACT, "destructiveHint"
    if annotations.get("openWorldHint") is True and Kind.READ < kind < Kind.ACT:
        return Kind.ACT, "openWorldHint"
    return kind, ""
