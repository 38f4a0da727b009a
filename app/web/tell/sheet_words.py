"""How are the parts of a job sheet said: an exception with its conditions, a limit, a mode that is as usual?"""

from collections.abc import Mapping
from typing import Any

from app.ceilings.ceiling import BEYOND, Ceiling, in_words
from app.language.speech import N_, Speech
from app.language.words import mode_word
from app.policy.decision import Comparison
from app.web.tell.abilities import ability, in_a_list
from app.web.tell.values import day_of, label

COMPARISONS: Mapping[Comparison, str] = {
    Comparison.IS: N_("is exactly"),
    Comparison.IS_ONE_OF: N_("is one of"),
    Comparison.AT_MOST: N_("is at most"),
    Comparison.AT_LEAST: N_("is at least"),
    Comparison.DOMAIN_IS: N_("is an address at"),
}


def things(speech: Speech, tools: Any) -> str:
    """ "refund an order, send a mail" """
    return ", ".join(in_a_list(speech, str(tool)) for tool in sorted(tools))


def mode_or(speech: Speech, mode: Any, otherwise: str) -> str:
    """The word for a mode, or what it means that there is none."""
    return mode_word(speech, str(mode)) if mode is not None else otherwise


def limit_sentence(speech: Speech, one: Ceiling) -> str:
    """ "Refund an order: At most 150 EUR a month. Above it, nothing is done." """
    said = in_words(one)
    facts = {"what": ability_list(speech, one), "limit": speech.say(said.sentence, said.facts)}
    return speech.say("%(what)s: %(limit)s. %(beyond)s", {**facts, "beyond": speech.say(BEYOND[one.soft])})


def ability_list(speech: Speech, one: Ceiling) -> str:
    """What a limit counts."""
    first, *rest = sorted(one.tools)
    return ", ".join([ability(speech, first), *(in_a_list(speech, tool) for tool in rest)])


def exception_sentence(speech: Speech, stored: Mapping[str, Any]) -> str:
    """The sentence itself, and what bounds it."""
    parts = [speech.say("“%(text)s”", {"text": stored["text"]}), things(speech, stored["tools"])]
    return " · ".join([*parts, *bounds(speech, stored)])


def bounds(speech: Speech, stored: Mapping[str, Any]) -> list[str]:
    """Its conditions, its last day, its uses."""
    found = [condition_words(speech, one) for one in stored.get("conditions") or ()]
    if (day := day_of(stored.get("ends_on"))) is not None:
        found.append(speech.say("until %(day)s", {"day": speech.day(day)}))
    if (uses := stored.get("uses_per_day")) is not None:
        found.append(speech.count("once a day", "%(number)s times a day", int(uses)))
    return found


def condition_words(speech: Speech, one: Mapping[str, Any]) -> str:
    """ "amount is at most 20" """
    value = one["value"]
    written = ", ".join(str(each) for each in value) if isinstance(value, list) else str(value)
    said = speech.say(COMPARISONS[Comparison(one["comparison"])])
    return f"{label(speech, str(one['field']))} {said} {written}"
