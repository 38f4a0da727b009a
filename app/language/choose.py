"""In which language does somebody read us? What they chose, else what their browser asks for, else English."""

from app.language.catalogue import LANGUAGES, SOURCE

MOST = 20  # a header longer than this is nobody's list of languages


def is_ours(language: str | None) -> bool:
    """Do we speak it?"""
    return language in LANGUAGES


def asked_for(accept_language: str) -> str:
    """The language of ours that a browser likes best (RFC 9110, 12.5.4); English where it names none of ours."""
    best, best_weight = SOURCE, 0.0
    for part in accept_language.split(",")[:MOST]:
        name, _, weight = part.partition(";")
        language = name.strip().split("-")[0].lower()
        if is_ours(language) and (given := _weight(weight)) > best_weight:
            best, best_weight = language, given
    return best


def _weight(written: str) -> float:
    name, _, value = written.strip().partition("=")
    if not name:
        return 1.0
    try:
        return min(float(value), 1.0) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0
