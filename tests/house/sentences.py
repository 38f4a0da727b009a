"""Which sentences are there in the code, and which in the French file?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from app.language.catalogue import FOLDER
from app.language.extract import extract

PLACEHOLDER = re.compile(r"%\((\w+)\)s")
TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Entry:
    """One sentence with its translation; more than one form where it depends on a number."""

    english: tuple[str, ...]
    french: tuple[str, ...]
    doubtful: bool


@cache
def needed() -> dict[tuple[str, ...], Entry]:
    """What code and templates say; nothing of it is translated here."""
    return {entry.english: entry for entry in _entries(extract())}


@cache
def kept() -> dict[tuple[str, ...], Entry]:
    """What the French file has."""
    with (FOLDER / "fr.po").open("rb") as file:
        catalogue = read_po(file, locale="fr")
    assert not catalogue.obsolete
    return {entry.english: entry for entry in _entries(catalogue)}


def is_translated(sentence: str) -> bool:
    """Is this sentence of the code in the French file?"""
    return (sentence,) in kept()


def plain(sentence: str, fact: str = "") -> str:
    """A sentence without its markup, with a word in the place of its facts."""
    return PLACEHOLDER.sub(fact, TAG.sub("", sentence))


def _entries(catalogue: Catalog) -> Iterator[Entry]:
    for message in catalogue:
        if message.id:
            yield Entry(_forms(message.id), _forms(message.string or ""), message.fuzzy)


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)
