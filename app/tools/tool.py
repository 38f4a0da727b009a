"""What is a tool? A typed function with a decorator: what the model sees is derived from its signature and docstring.

The function's first parameter is `ctx`; the others become the schema, except those marked `Bound`, which the
model never sees: we fill them in with what the run is about. `Target` marks where an effect goes, `Leaves` marks
free text that leaves the house. Wrong declarations stop the start, not the run.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, create_model

from app.policy.decision import Kind, ToolView
from app.tools.context import Context

WHY, EXCEPTION = "_why", "_exception"
FEWEST_SENTENCES = 3  # Anthropic's guide "Define tools": three or four sentences a tool, the more the better
LONGEST_WHY = 200  # characters of it that people are shown (DESIGN section 3)


class Provenance(StrEnum):
    """Whose words a result holds."""

    HOUSE = "house"
    OUTSIDE = "outside"  # a third party can write them


@dataclass(frozen=True)
class Bound:
    """Marks a parameter that we fill in: `what` names it among the things that the run is about."""

    what: str


class Target:
    """Marks an argument that says where the effect goes: recipient, account, order."""


class Leaves:
    """Marks an argument whose free text leaves the house."""


@dataclass(frozen=True)
class Effect:
    """What a call would do, as people are told: `sort` chooses the picture (mail, refund, arguments)."""

    sort: str
    sentence: str  # English, for gettext, with %(names)s
    facts: Mapping[str, str] = field(default_factory=dict)


class ArgumentsInvalid(Exception):
    """The arguments do not fit the schema; `fields` says which field and what is wrong with it."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {what}" for name, what in fields.items()))
        self.fields = fields


class NothingBound(Exception):
    """The call needs something that this run is not about (no mail, no order)."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


Function = Callable[..., Awaitable[JsonValue]]
InWords = Callable[[Mapping[str, JsonValue]], Effect]


@dataclass(frozen=True)
class Tool:
    """A name, a description and a schema that the model sees, and a function that it never sees."""

    name: str
    kind: Kind
    description: str
    function: Function
    arguments: type[BaseModel]
    in_words: InWords
    bound: Mapping[str, str] = field(default_factory=dict)  # parameter -> what it is bound to
    targets: frozenset[str] = frozenset()
    leaves: frozenset[str] = frozenset()
    reads_outside: bool = False
    provenance: Provenance = Provenance.HOUSE
    open_to_strangers: bool = False
    uses_a_run: int | None = None
    changes_by_itself: bool = False  # a status: asking again is no repetition
    remembers_key_for: timedelta | None = None  # how long the other side knows our idempotency key
    seconds: float = 30
    strict: bool = False  # the provider holds the model to the schema
    foreign: bool = False  # somebody else wrote it: app/tool_servers
    reviewed: bool = True
    changed: bool = False  # since it was reviewed
    changed_at: datetime | None = None  # requests older than this were made for another tool of the same name

    def __post_init__(self) -> None:
        """What acts says where it acts; only what reads is open to strangers or reads outside."""
        if self.foreign:
            return
        if self.kind is not Kind.READ and (self.reads_outside or self.open_to_strangers):
            raise TypeError(f"tool {self.name}: only a read is open to strangers or reads outside")
        if self.kind in (Kind.ACT, Kind.DELETE) and not self.targets:
            raise TypeError(f"tool {self.name}: it acts, so mark an argument Target: where does it go?")

    @property
    def may_ask(self) -> bool:
        """Can a call of it come to wait for a person? Then it carries `_why` and `_exception`."""
        return self.kind is not Kind.READ or self.reads_outside

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of the arguments that the model gives."""
        return tuple(self.arguments.model_fields)

    @property
    def amounts(self) -> tuple[str, ...]:
        """Those of them that are numbers."""
        fields = self.arguments.model_fields
        return tuple(name for name, field in fields.items() if field.annotation in (Decimal, int, float))

    def view(self) -> ToolView:
        """What the policy knows about it."""
        return ToolView(
            name=self.name,
            kind=self.kind,
            reads_outside=self.reads_outside,
            open_to_strangers=self.open_to_strangers,
            bound_to_customer="correspondent" in self.bound.values(),
            targets=self.targets,
            leaves=self.leaves,
            bound=frozenset(self.bound),
            foreign=self.foreign,
            reviewed=self.reviewed,
            changed=self.changed,
        )

    def for_model(self) -> dict[str, JsonValue]:
        """The tool as the Messages API takes it."""
        schema = self.schema()
        properties = {name: _without_titles(value) for name, value in schema.get("properties", {}).items()}
        required = list(schema.get("required", []))
        if self.may_ask:
            properties[WHY] = {"type": "string", "description": _WHY_TEXT}
            properties[EXCEPTION] = {"type": "string", "description": _EXCEPTION_TEXT}
            required.append(WHY)
        whole: dict[str, JsonValue] = {"type": "object", "properties": properties, "additionalProperties": False}
        if "$defs" in schema:
            whole["$defs"] = schema["$defs"]
        if required:
            whole["required"] = required
        told: dict[str, JsonValue] = {"name": self.name, "description": self.description, "input_schema": whole}
        return {**told, "strict": True} if self.strict else told

    def schema(self) -> dict[str, Any]:
        """The JSON schema of what the model gives, before our own two fields."""
        return self.arguments.model_json_schema()

    def check(self, given: Mapping[str, JsonValue], about: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The canonical arguments: validated, defaults in, bound ones filled in from what the run is about.

        Raises ArgumentsInvalid (the model can mend that) or NothingBound (it cannot).
        """
        try:
            checked: dict[str, JsonValue] = self.arguments.model_validate(given).model_dump(mode="json")
        except ValidationError as error:
            raise ArgumentsInvalid({_place(e["loc"]): e["msg"] for e in error.errors()}) from None
        for parameter, what in self.bound.items():
            if about.get(what) is None:
                raise NothingBound(what)
            checked[parameter] = about[what]
        return checked

    async def run(self, ctx: Context, arguments: Mapping[str, JsonValue]) -> JsonValue:
        """Do it, with canonical arguments, in the function's own types."""
        free = {name: value for name, value in arguments.items() if name not in self.bound}
        typed = self.arguments.model_validate(free)
        values = {name: getattr(typed, name) for name in type(typed).model_fields}
        return await self.function(ctx, **values, **{name: arguments[name] for name in self.bound})


_WHY_TEXT = "For the manager, in one sentence: what this does and why. At most 200 characters."
_EXCEPTION_TEXT = (
    "If an exception on your job sheet allows this without asking, copy it here word for word; "
    "otherwise leave it empty."
)


def tool(
    *,
    kind: Kind,
    in_words: InWords,
    reads_outside: bool = False,
    provenance: Provenance = Provenance.HOUSE,
    open_to_strangers: bool = False,
    uses_a_run: int | None = None,
    changes_by_itself: bool = False,
    remembers_key_for: timedelta | None = None,
    seconds: float = 30,
    strict: bool = False,
) -> Callable[[Function], Tool]:
    """Make a tool of an async function. Raises TypeError where its declaration leaves something unsaid."""

    def make(function: Function) -> Tool:
        parameters = _parameters(function)
        marks = {name: get_args(hint)[1:] if get_origin(hint) is Annotated else () for name, hint in parameters.items()}
        bound = {name: m.what for name, found in marks.items() for m in found if isinstance(m, Bound)}
        return Tool(
            name=function.__name__,
            kind=kind,
            description=_description(function),
            function=function,
            arguments=_model(function, {n: h for n, h in parameters.items() if n not in bound}),
            in_words=in_words,
            bound=bound,
            targets=_marked(marks, Target),
            leaves=_marked(marks, Leaves),
            reads_outside=reads_outside,
            provenance=provenance,
            open_to_strangers=open_to_strangers,
            uses_a_run=uses_a_run,
            changes_by_itself=changes_by_itself,
            remembers_key_for=remembers_key_for,
            seconds=seconds,
            strict=strict,
        )

    return make


def _parameters(function: Function) -> dict[str, Any]:
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    names = list(inspect.signature(function).parameters)
    if not inspect.iscoroutinefunction(function) or not names or names[0] != "ctx":
        raise TypeError(f"tool {function.__name__}: an async function whose first parameter is ctx")
    return {name: hints[name] for name in names[1:]}


def _description(function: Function) -> str:
    text = inspect.cleandoc(function.__doc__ or "").replace("\n", " ")
    if len(re.findall(r"[.!?](?:\s|$)", text)) < FEWEST_SENTENCES or " not " not in text.lower():
        raise TypeError(
            f"tool {function.__name__}: its docstring needs three sentences: when to use it, what it does not do"
        )
    return text


def _model(function: Function, parameters: Mapping[str, Any]) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for name, hint in parameters.items():
        default = inspect.signature(function).parameters[name].default
        described = [m for m in get_args(hint)[1:] if getattr(m, "description", None)]
        if not described:
            raise TypeError(f"tool {function.__name__}: parameter {name} needs Field(description=…)")
        fields[name] = (hint, ... if default is inspect.Parameter.empty else default)
    return create_model(function.__name__, __config__=ConfigDict(extra="forbid", strict=False), **fields)


def _marked(marks: Mapping[str, tuple[Any, ...]], sort: type) -> frozenset[str]:
    return frozenset(name for name, found in marks.items() if any(m is sort or isinstance(m, sort) for m in found))


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "arguments"


def _without_titles(value: JsonValue) -> JsonValue:
    return {k: v for k, v in value.items() if k != "title"} if isinstance(value, dict) else value


Text = Annotated[str, Field(min_length=1)]
