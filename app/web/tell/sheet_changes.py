"""How is the difference between two job sheets told? Line by line, with what is gone struck out."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import chain
from re import findall
from uuid import UUID

from app.ceilings.ceiling import Ceiling
from app.employees.draft import Difference, Part
from app.identity.queries import names_of
from app.language.speech import N_, Speech
from app.language.words import kind_word
from app.policy.decision import Kind
from app.web.contexts.job_sheet import DifferenceLine, Piece
from app.web.tell.abilities import ability
from app.web.tell.sheet_words import exception_sentence, limit_sentence, mode_or
from app.web.visit import Visit

TITLES: Mapping[Part, str] = {
    Part.MISSION: N_("Mission"),
    Part.INSTRUCTIONS: N_("How it should work"),
    Part.EXCEPTION: N_("Exception"),
    Part.CEILING: N_("Limit"),
    Part.OUTSIDE_CONTENT: N_("Rule about text from outside"),
    Part.TALKERS: N_("Who may talk to it"),
}
TEXTS = (Part.MISSION, Part.INSTRUCTIONS)
ALIKE = 0.5  # below it two texts are shown whole: a few words in common are no help
MOST_COMPARED = 60_000  # pairs of words: the page is asked at every change, so this takes milliseconds
KEPT = 60  # characters of what stayed the same, on each side of a change


async def difference_lines(visit: Visit, found: Sequence[Difference]) -> tuple[DifferenceLine, ...]:
    """Each difference as people read it."""
    talkers = [one for one in found if one.part is Part.TALKERS]
    ids = {UUID(str(each)) for one in talkers for each in chain(_list(one.before), _list(one.after))}
    names = await names_of(visit.session, ids)
    return tuple(_line(visit.speech, one, names) for one in found)


def _line(speech: Speech, one: Difference, names: Mapping[UUID, str]) -> DifferenceLine:
    if one.part in TEXTS:
        return DifferenceLine(speech.say(TITLES[one.part]), compared(str(one.before or ""), str(one.after or "")))
    before, after = (_value(speech, one, value, names) for value in (one.before, one.after))
    pieces = (Piece("gone", before), Piece("new", after))
    return DifferenceLine(_label(speech, one), tuple(piece for piece in pieces if piece.text))


def _label(speech: Speech, one: Difference) -> str:
    match one.part:
        case Part.KIND:
            kind = kind_word(speech, Kind(one.which))
            return speech.say("Everything that %(kind)s", {"kind": kind})
        case Part.TOOL | Part.LISTED | Part.PUBLIC:
            return ability(speech, one.which)
        case _:
            return speech.say(TITLES[one.part])


def _value(speech: Speech, one: Difference, value: object, names: Mapping[UUID, str]) -> str:
    match one.part:
        case Part.KIND:
            return mode_or(speech, value, speech.say("as usual"))
        case Part.TOOL:
            return mode_or(speech, value, speech.say("as its kind of work"))
        case Part.LISTED:
            return speech.say("has this") if value else speech.say("does not have this")
        case Part.PUBLIC:
            return speech.say("for visitors too") if value else speech.say("not for visitors")
        case Part.OUTSIDE_CONTENT:
            return speech.say("switched on") if value else speech.say("switched off")
        case Part.TALKERS:
            who = [names.get(UUID(str(each))) or speech.say("somebody who left") for each in _list(value)]
            return ", ".join(who) or speech.say("everybody")
        case Part.EXCEPTION:
            return exception_sentence(speech, value) if isinstance(value, dict) else ""
        case _:
            return limit_sentence(speech, Ceiling.from_json(value)) if isinstance(value, dict) else ""


def compared(before: str, after: str) -> tuple[Piece, ...]:
    """Two texts, word by word where they are alike; long stretches that stayed the same are shortened."""
    old, new = findall(r"\s+|\w+|[^\w\s]", before), findall(r"\s+|\w+|[^\w\s]", after)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    gone, came = old[head : len(old) - tail], new[head : len(new) - tail]
    if 2 * (head + tail) < ALIKE * (len(old) + len(new)) and not _alike(gone, came):
        return tuple(piece for piece in (Piece("gone", before), Piece("new", after)) if piece.text)
    pieces = [Piece("same", "".join(old[:head])), *_middle(gone, came), Piece("same", "".join(old[len(old) - tail :]))]
    return tuple(_shortened([piece for piece in pieces if piece.text]))


def _middle(old: Sequence[str], new: Sequence[str]) -> Iterable[Piece]:
    """Between the first word that differs and the last."""
    if len(old) * len(new) > MOST_COMPARED:
        yield from (Piece("gone", "".join(old)), Piece("new", "".join(new)))
        return
    for sort, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if sort == "equal":
            yield Piece("same", "".join(old[a:b]))
        else:
            yield from (Piece("gone", "".join(old[a:b])), Piece("new", "".join(new[c:d])))


def _alike(old: Sequence[str], new: Sequence[str]) -> bool:
    if len(old) * len(new) > MOST_COMPARED:
        return False
    return SequenceMatcher(None, old, new, autojunk=False).ratio() >= ALIKE


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many words are the same from the beginning."""
    return next((place for place, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))


def _shortened(pieces: Sequence[Piece]) -> Iterable[Piece]:
    for place, piece in enumerate(pieces):
        if piece.sort != "same" or len(piece.text) <= 2 * KEPT + 10:
            yield piece
            continue
        head = piece.text[:KEPT] if place else ""
        tail = piece.text[-KEPT:] if place < len(pieces) - 1 else ""
        yield Piece("same", f"{head} … {tail}")


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
