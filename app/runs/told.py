"""What is the model told about a call that did not simply succeed, and how does a task begin?"""

from pydantic import JsonValue

from app.tools.tool import ArgumentsInvalid, NothingBound, Tool

FINAL = "Do not try again. Propose another way, or say what is missing."
BUSY = "There are {count} open requests for this person already. Nothing was asked. Conclude and tell your manager."
BROKE = (
    "It failed for a reason on our side (reference {reference}). Nothing was done as far as we know. "
    "Conclude or try another way."
)
UNCERTAIN = (
    "Nobody knows whether this happened: the other side did not confirm. It will not be tried again by itself. "
    "Do not repeat it; say so when you conclude."
)
RUN_ENDED = "Not done: the task ended before."
EXPIRED = f"Refused: nobody answered in time. {FINAL}"
MAIL_ARRIVED = (
    "A customer's mail has arrived for you. Read it with read_mail, find out what is needed, and prepare or propose "
    "what your job sheet says. Write to the customer in the language of their mail."
)
ANOTHER_MAIL = "The same customer has written again. Read the new mail with read_mail and go on from there."


def rejected(name: str, comment: str) -> str:
    """A person's no, with their word."""
    word = f': "{comment}"' if comment else "."
    return f"Refused by {name}{word} {FINAL}" if comment else f"Refused by {name}. {FINAL}"


def by_policy(rule: str) -> str:
    """The rules refuse it."""
    reasons = {
        "ceiling": "a ceiling of your job sheet would be passed",
        "refused_before": "a person refused this in the same task",
        "arguments_changed": "it is no longer what was decided about",
    }
    return f"Refused by the rules of your job: {reasons.get(rule, 'you may not do this')}. {FINAL}"


def unknown(name: str, tools: list[str]) -> str:
    """There is no such tool."""
    return f"There is no tool {name[:80]!r}. There are: {', '.join(tools)}."


def invalid(tool: Tool, error: ArgumentsInvalid) -> str:
    """The arguments do not fit: which field, and what there is instead."""
    fields = "; ".join(f"{name}: {what}" for name, what in error.fields.items())
    there = ", ".join(tool.takes) or "no arguments"
    return f"The arguments do not fit. {fields}. The tool {tool.name} takes: {there}."


def missing_why(tool: Tool) -> str:
    """A call that may ask needs its sentence."""
    return f"The field _why is missing: say in one sentence, for the manager, what {tool.name} would do here and why."


def nothing_bound(error: NothingBound) -> str:
    """The task is not about such a thing."""
    names = {"order": "order", "correspondent": "customer", "mail": "mail", "message_id": "mail"}
    what = names.get(error.what, error.what)
    return (
        f"This task is not about one particular {what}, so this cannot be done here. "
        f"Ask the person to name the {what}, or tell your manager."
    )


def changed(before: dict[str, JsonValue], after: dict[str, JsonValue], name: str) -> str:
    """What a person changed before approving."""
    fields = [f"{key}: {after[key]!r}" for key in after if before.get(key) != after[key]]
    return f"{name} approved it with changes; this was done: {'; '.join(fields)}."
