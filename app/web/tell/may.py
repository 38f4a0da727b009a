"""What is answered to "may it …?": what it is about, as a task starts, after a mail, for visitors."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from re import findall

from app.employees.queries import Employee as Record
from app.employees.queries import Sheet, get_sheet
from app.language.speech import Speech
from app.language.words import kind_word
from app.policy.decision import Decision, Mode
from app.policy.explain import Situation, explain
from app.web.contexts.chrome import Field
from app.web.contexts.job_sheet import MayPage, MayRow
from app.web.tell.abilities import ability
from app.web.tell.people import employee
from app.web.visit import Visit

# Words of a question that are about nothing; shorter ones are not looked at.
FILLING = frozenset(
    (
        "does",
        "what",
        "when",
        "with",
        "from",
        "about",
        "into",
        "that",
        "this",
        "they",
        "them",
        "their",
        "have",
        "which",
        "could",
        "would",
        "should",
        "mail",
        "asks",
        "peut",
        "elle",
        "pour",
        "dans",
        "avec",
        "quand",
        "quoi",
        "quel",
        "quelle",
        "cette",
        "faire",
        "fait",
        "demande",
        "demander",
        "client",
        "customer",
    )
)
SHORTEST, STEM = 4, 5


async def may_page(visit: Visit, record: Record, about: str) -> MayPage:
    """The rows that the question is about; all of them where nothing is asked or nothing is found."""
    speech = visit.speech
    sheet = await get_sheet(visit.session, record)
    rows = _rows(speech, record, sheet)
    asked = _stems(about)
    known = {stem for row in rows for stem in _stems(row.what)}
    found = tuple(row for row in rows if asked.keys() & _stems(row.what).keys())
    return MayPage(
        employee=employee(visit, record),
        url=f"/employees/{record.id}",
        asked=Field("about", speech.say("May %(name)s …?", {"name": record.name}), about),
        rows=found or rows,
        unknown=tuple(word for stem, word in asked.items() if stem not in known),
    )


def _rows(speech: Speech, record: Record, sheet: Sheet) -> tuple[MayRow, ...]:
    standing = Situation(limits=sheet.hard, on_trial=record.on_trial)
    views = [tool.view() for tool in sheet.tools]
    inside = explain(sheet.modes, views, standing)
    visitors = explain(sheet.modes, views, replace(standing, public_channel=True))
    public = _any_open([row.start for row in visitors])
    return tuple(
        MayRow(
            what=ability(speech, row.tool),
            kind_word=kind_word(speech, row.kind),
            start=row.start,
            after=row.after_outside,
            visitors=there.start if public else None,
        )
        for row, there in zip(inside, visitors, strict=True)
    )


def _any_open(decisions: Sequence[Decision]) -> bool:
    return any(decision.mode is not Mode.NEVER for decision in decisions)


def _stems(text: str) -> dict[str, str]:
    """The beginnings of the words that mean something, with the words: “orders” finds “an order”."""
    words = findall(r"[^\W\d_]+", text)
    plain = {word: _plain(word) for word in words}
    return {one[:STEM]: word for word, one in plain.items() if len(one) >= SHORTEST and one not in FILLING}


def _plain(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))
