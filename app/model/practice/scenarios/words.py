"""Which language does Camille speak? One text by its name, in the language of the conversation.

These are a model's words, not the product's: they follow the customer's language, so they do not go through gettext.
"""

from datetime import date

from app.model.practice.scenarios.words_en import EN
from app.model.practice.scenarios.words_fr import FR

WORDS = {"en": EN, "fr": FR}
_MONTHS = {
    "en": (
        "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December",
    ),
    "fr": (
        "janvier", "février", "mars", "avril", "mai", "juin",
        "juillet", "août", "septembre", "octobre", "novembre", "décembre",
    ),
}  # fmt: skip


def words(language: str, name: str, /, **facts: str) -> str:
    """The text of this name, with its facts filled in."""
    return WORDS[language][name].format(**facts)


def money(language: str, amount: str, currency: str) -> str:
    """An amount as people write it: EUR 24.50, or 24,50 €."""
    if language == "fr":
        return f"{amount.replace('.', ',')} {'€' if currency == 'EUR' else currency}"
    return f"{currency} {amount}"


def day(language: str, told: str) -> str:
    """A day as people write it: 4 December 2026, or 4 décembre 2026; what is no day is repeated as it is."""
    try:
        found = date.fromisoformat(told)
    except ValueError:
        return told
    first = "1er" if language == "fr" and found.day == 1 else str(found.day)
    return f"{first} {_MONTHS[language][found.month - 1]} {found.year}"


def status(language: str, told: str) -> str:
    """An order's status in words; one that we do not know is repeated as it is."""
    return WORDS[language].get(f"status_{told.lower().replace(' ', '_')}", told)
