"""How can a person change a call of a service that others wrote? By the fields that the call holds and its form names.

What is a list or holds more inside is shown and cannot be changed here: it would have to be written as a machine does.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import JsonValue
from starlette.datastructures import FormData

from app.language.speech import N_, Speech
from app.tools.mcp.foreign import ForeignTool
from app.tools.tool import ArgumentsInvalid
from app.web.contexts.chrome import Choice, Field
from app.web.tell.values import in_full, label, plain_number

PREFIX = "change."
LONG = 100  # characters: a text that is longer gets a large field
NOT_HERE = N_("This cannot be changed here.")
DOES_NOT_FIT = N_("This does not fit here.")
NUMBER = N_("Please write a number.")
Kind = Literal["text", "long", "number", "choice", "yes_no"]


def fields_of(
    speech: Speech, tool: ForeignTool, values: Mapping[str, JsonValue], errors: Mapping[str, str]
) -> tuple[Field, ...]:
    """A field for each value of the call; nothing that the call does not hold can be added."""
    return tuple(_field(speech, tool, name, value, errors.get(name, "")) for name, value in values.items())


def read_changes(tool: ForeignTool, form: FormData, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """What a person wrote; a number that is none stays as it was written, so that it is refused."""
    found: dict[str, JsonValue] = {}
    for name in values:
        written = form.get(PREFIX + name)
        kind = _kind(_property(tool, name), values[name])
        if isinstance(written, str) and kind is not None:
            found[name] = _value(kind, written)
    return found


def errors_in(
    speech: Speech, tool: ForeignTool, given: Mapping[str, JsonValue], values: Mapping[str, JsonValue]
) -> dict[str, str]:
    """What does not fit, by field, in the reader's words: the form's own messages are for programmers."""
    try:
        tool.check({**values, **given}, {})
    except ArgumentsInvalid as error:
        wrong = {place.partition(".")[0] for place in error.fields}
        return {name: _sentence(speech, tool, name) for name in given if name in wrong}
    return {}


def _sentence(speech: Speech, tool: ForeignTool, name: str) -> str:
    return speech.say(NUMBER if _property(tool, name).get("type") in ("number", "integer") else DOES_NOT_FIT)


def _field(speech: Speech, tool: ForeignTool, name: str, value: JsonValue, error: str) -> Field:
    known = _property(tool, name)
    kind = _kind(known, value)
    if kind is None:
        return Field(name, label(speech, name), in_full(speech, value), fixed=True, hint=speech.say(NOT_HERE))
    return Field(
        name=PREFIX + name,
        label=label(speech, name),
        value=("yes" if value else "no") if kind == "yes_no" else str(value),
        kind=kind,
        error=error,
        required=kind not in ("text", "long"),
        choices=tuple(Choice(one, one, chosen=one == value) for one in _choices(known)) if kind == "choice" else (),
    )


def _property(tool: ForeignTool, name: str) -> Mapping[str, Any]:
    properties = tool.form.get("properties")
    found = properties.get(name) if isinstance(properties, dict) else None
    return found if isinstance(found, dict) else {}


def _choices(known: Mapping[str, Any]) -> tuple[str, ...]:
    found = known.get("enum")
    return tuple(found) if isinstance(found, list) and all(isinstance(one, str) for one in found) else ()


def _kind(known: Mapping[str, Any], value: JsonValue) -> Kind | None:
    """By its form, where the call's own value fits; None for what cannot be written into one field."""
    match known.get("type"):
        case "boolean":
            return "yes_no"
        case "number" | "integer":
            return "number"
        case "string" if _choices(known):
            return "choice"
        case "string":
            return "long" if isinstance(value, str) and (len(value) > LONG or "\n" in value) else "text"
        case _:
            return None


def _value(kind: Kind, written: str) -> JsonValue:
    if kind == "yes_no":
        return written == "yes"
    if kind != "number":
        return written.replace("\r\n", "\n")
    plain = plain_number(written)
    try:
        return int(plain)
    except ValueError:
        pass
    try:
        return float(plain)
    except ValueError:
        return written
