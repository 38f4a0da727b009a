"""How does a task end? What was done and what was not, each call that people notice in one line."""

from app.model.practice.scenarios.letter import language_of, letter_from
from app.model.practice.scenarios.shop_results import amount_of
from app.model.practice.scenarios.words import WORDS, money, words
from app.model.practice.talk import Became, Step, Talk, find_text

# Reading is not worth a line unless it went wrong.
QUIET = ("read_mail", "lookup_order", "search_catalogue", "read_product")
SHORT = 160
FINAL = " Do not try again."  # from here on it is advice to the employee, of no use to who reads its conclusion
KNOWN = {
    "a person refused this in the same task": "because_refused_before",
    "a ceiling of your job sheet": "because_ceiling",
    "nobody answered in time": "because_silence",
}


def language(talk: Talk) -> str:
    """The language of the mail that is worked on; without one, of the task."""
    mail = talk.last("read_mail")
    return letter_from(mail.outcome.data).language if mail and mail.became is Became.DONE else language_of(talk.task)


def conclude(talk: Talk) -> str:
    """The last words of a task; honest about what nobody agreed to and what nobody knows."""
    spoken = language(talk)
    worth = [step for step in talk.steps if step.tool not in QUIET or step.became is not Became.DONE]
    done = [_line(spoken, step) for step in worth if step.became is Became.DONE]
    open_ = [_line(spoken, step) for step in worth if step.became is not Became.DONE]
    parts = [
        *([words(spoken, "done"), *done] if done else []),
        *([words(spoken, "not_done"), *open_] if open_ else []),
        *(words(spoken, "heard", note=note[:SHORT]) for note in talk.notes),
    ]
    return "\n".join(parts or [words(spoken, "nothing")])


def named(spoken: str, step: Step) -> str:
    """What this call is, in words."""
    name = f"did_{step.tool}" if f"did_{step.tool}" in WORDS[spoken] else "did_other"
    given = {key: str(value) for key, value in step.arguments.items()}
    if "amount" in given:
        booked = amount_of(step.outcome.data) if step.became is Became.DONE else None
        currency = find_text(step.outcome.data, "currency") or "EUR"
        given["amount"] = money(spoken, str(booked or given["amount"]), currency)
    facts = {"subject": "", "amount": "", "order_number": "", "query": "", "sku": "", **given, "tool": step.tool}
    return words(spoken, name, **facts)


def reason(spoken: str, step: Step) -> str:
    """Why a call was not done: in words of our own where we know them, else in those that came back."""
    told = step.outcome.words or find_text(step.outcome.data, "error", "message", "reason") or step.outcome.text
    for sign, name in KNOWN.items():
        if sign in told:
            return words(spoken, name)
    return " ".join(told.partition(FINAL)[0].split())[:SHORT].removesuffix(".")


def _line(spoken: str, step: Step) -> str:
    what, outcome = named(spoken, step), step.outcome
    match step.became:
        case Became.DONE if outcome.changes:
            return words(spoken, "line_changed", what=what, changes=_changes(step))
        case Became.DONE:
            return words(spoken, "line_done", what=what)
        case Became.REFUSED:
            word = words(spoken, "with_word", word=outcome.word) if outcome.word else ""
            return words(spoken, "line_refused", what=what, who=outcome.who, word=word)
        case Became.BLOCKED:
            return words(spoken, "line_blocked", what=what, reason=reason(spoken, step))
        case Became.UNCERTAIN:
            return words(spoken, "line_uncertain", what=what)
        case Became.FAILED:
            return words(spoken, "line_failed", what=what, reason=reason(spoken, step))


def _changes(step: Step) -> str:
    """What a person changed; of long texts only which."""
    told = step.outcome.changes
    names = [name for name in step.arguments if f"{name}: " in told]
    return told if len(told) <= SHORT or not names else ", ".join(names)
