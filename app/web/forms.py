"""How does a tool's schema become a form that a person can fill in, and what they wrote the tool's arguments again?

Errors stand at their field, in our words: a schema's own messages are for programmers.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, get_args, get_origin

from annotated_types import MaxLen
from pydantic import JsonValue, ValidationError
from pydantic.fields import FieldInfo
from starlette.datastructures import FormData

from app.language.speech import N_, Speech
from app.tools.mcp.foreign import ForeignTool
from app.tools.tool import Tool
from app.web import foreign_form
from app.web.contexts.chrome import Choice, Field
from app.web.tell.values import CURRENCY, decimal, in_full, label, plain_number

PREFIX = "change."
LONG = 500  # characters: what may be longer gets a large field
FIXED = N_("This is fixed by the task; it cannot be changed.")
DOES_NOT_FIT = N_("This does not fit here.")
# By the kind of the schema's error; the names in it are what pydantic knows about the limit.
SENTENCES: dict[str, str] = {
    "missing": N_("Please fill this in."),
    "string_too_short": N_("Please fill this in."),
    "string_too_long": N_("This is too long: at most %(max_length)s characters."),
    "string_pattern_mismatch": N_("This must be a single line, without signs that do not belong there."),
    "decimal_parsing": N_("Please write an amount, like 24.90."),
    "decimal_type": N_("Please write an amount, like 24.90."),
    "decimal_max_places": N_("At most %(decimal_places)s digits after the point."),
    "decimal_max_digits": N_("This amount is too large."),
    "int_parsing": N_("Please write a whole number."),
    "greater_than": N_("This must be more than %(gt)s."),
    "greater_than_equal": N_("This must be at least %(ge)s."),
    "less_than": N_("This must be less than %(lt)s."),
    "less_than_equal": N_("This must be at most %(le)s."),
}


def fields_of(
    speech: Speech, tool: Tool, values: Mapping[str, JsonValue], errors: Mapping[str, str] | None = None
) -> tuple[Field, ...]:
    """The form for changing a call: what is bound is shown and cannot be changed."""
    if isinstance(tool, ForeignTool):
        return foreign_form.fields_of(speech, tool, values, errors or {})
    free = tuple(
        _field(speech, name, info, values.get(name), (errors or {}).get(name, ""))
        for name, info in tool.arguments.model_fields.items()
    )
    bound = tuple(
        Field(name, label(speech, name), in_full(speech, values.get(name)), fixed=True, hint=speech.say(FIXED))
        for name in tool.bound
        if name in tool.targets
    )
    return (*bound, *free)


def read_changes(tool: Tool, form: FormData, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """What a person wrote, as arguments; what is emptied and need not be filled is as if nobody had given it."""
    if isinstance(tool, ForeignTool):
        return foreign_form.read_changes(tool, form, values)
    found: dict[str, JsonValue] = {}
    for name, info in tool.arguments.model_fields.items():
        written = form.get(PREFIX + name)
        if isinstance(written, str):
            found[name] = _value(info, written) if written.strip() or info.is_required() else info.get_default()
    return found


def errors_in(
    speech: Speech, tool: Tool, given: Mapping[str, JsonValue], values: Mapping[str, JsonValue]
) -> dict[str, str]:
    """What does not fit, by field, in the reader's words; `values` are those of the call."""
    if isinstance(tool, ForeignTool):
        return foreign_form.errors_in(speech, tool, given, values)
    try:
        tool.arguments.model_validate(given)
    except ValidationError as error:
        return {str(one["loc"][0]): _sentence(speech, one["type"], one.get("ctx") or {}) for one in error.errors()}
    return {}


def _sentence(speech: Speech, kind: str, limits: Mapping[str, Any]) -> str:
    return speech.say(SENTENCES.get(kind, DOES_NOT_FIT), {name: str(limit) for name, limit in limits.items()})


def _field(speech: Speech, name: str, info: FieldInfo, value: JsonValue, error: str) -> Field:
    kind = _kind(info)
    choices = get_args(info.annotation) if kind == "choice" else ()
    text = ("yes" if value else "no") if kind == "yes_no" else "" if value is None else str(value)
    if kind == "amount" and not error and (amount := decimal(value)) is not None:
        text = speech.written_amount(amount)
    return Field(
        name=PREFIX + name,
        label=label(speech, name),
        value=text,
        kind=kind,
        error=error,
        required=info.is_required(),
        currency=CURRENCY if kind == "amount" else "",
        choices=tuple(Choice(str(choice), str(choice), chosen=choice == value) for choice in choices),
    )


def _kind(info: FieldInfo) -> Literal["text", "long", "amount", "number", "choice", "yes_no"]:
    if get_origin(info.annotation) is Literal:
        return "choice"
    if info.annotation is bool:
        return "yes_no"
    if info.annotation is Decimal:
        return "amount"
    if info.annotation in (int, float):
        return "number"
    longest = next((limit.max_length for limit in info.metadata if isinstance(limit, MaxLen)), LONG + 1)
    return "long" if longest >= LONG else "text"


def _value(info: FieldInfo, written: str) -> JsonValue:
    match _kind(info):
        case "yes_no":
            return written == "yes"
        case "amount" | "number":
            return plain_number(written)
        case _:
            return written.replace("\r\n", "\n")
