"""Which translations are there? One .po file per language, read at the start: there is no build step.

The source language is English, so it needs no file. What a catalogue lacks would fall back to English silently:
a test compares the catalogues with the code and the templates.
"""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent
SOURCE = "en"
LANGUAGES = {"en": "English", "fr": "Français"}  # in their own words, for the menu


@cache
def translations(language: str) -> NullTranslations:
    """The translations into `language`. Raises KeyError for a language that we do not have."""
    if language not in LANGUAGES:
        raise KeyError(language)
    if language == SOURCE:
        return NullTranslations()
    with (FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
