"""How does a template become text in somebody's language? Escaped, with nothing missing unnoticed.

Macros are imported without context, so what formats for a person are globals; whom they speak to is set for the
time of one rendering, which nothing interrupts.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, pass_eval_context, select_autoescape
from jinja2.bccache import Bucket
from jinja2.nodes import EvalContext
from markupsafe import Markup

from app.language import words
from app.language.speech import Speech
from app.policy.decision import Step

FOLDER = Path(__file__).resolve().parents[2] / "templates"
EXTENSIONS = ["jinja2.ext.i18n"]

_spoken_to: ContextVar[Speech] = ContextVar("spoken_to")
_with_operations: ContextVar[bool] = ContextVar("with_operations", default=True)


class _Compiled(BytecodeCache):
    """Each template is compiled once per process, whoever renders it with whatever globals."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Jinja checks whether what was kept is of the same source."""
        if (kept := self._kept.get(bucket.key)) is not None:
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


def make_templates(extra: Mapping[str, object] | None = None) -> Environment:
    """The environment of all templates; `extra` are globals of whoever renders (pages have more than mails)."""
    environment = Environment(  # escapes all but .txt: the text half of a mail is no HTML
        loader=FileSystemLoader(FOLDER),
        autoescape=select_autoescape(disabled_extensions=("txt",), default_for_string=True, default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=EXTENSIONS,
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    environment.install_gettext_callables(_gettext, _ngettext, newstyle=True)  # type: ignore[attr-defined]  # by i18n
    environment.globals.update(_FORMATS, **(extra or {}))
    environment.globals.update(gettext=_fitted, _=_fitted)  # as Jinja's own, but the sentence fits its facts
    return environment


def render(
    templates: Environment, name: str, speech: Speech, context: Mapping[str, object], *, operations: bool = True
) -> str:
    """One template for one reader. Without `operations` its forms carry no ids: the same page is the same bytes."""
    with _speaking(speech, operations):
        return templates.get_template(name).render(context)


@contextmanager
def _speaking(speech: Speech, operations: bool) -> Iterator[None]:
    token, other = _spoken_to.set(speech), _with_operations.set(operations)
    try:
        yield
    finally:
        _spoken_to.reset(token)
        _with_operations.reset(other)


def _gettext(sentence: str) -> str:
    return _spoken_to.get().say(sentence)


@pass_eval_context
def _fitted(page: EvalContext, sentence: str, **facts: object) -> str:
    speech = _spoken_to.get()
    said = speech.fitted(speech.say(sentence), facts)
    return (Markup(said) if page.autoescape else said) % facts  # noqa: S704  (our own words; the facts are escaped)


def _ngettext(one: str, many: str, number: int) -> str:
    return _spoken_to.get().ngettext(one, many, number)


def _new_operation() -> str:
    return str(uuid4()) if _with_operations.get() else ""


def _mode_word(mode: str) -> str:
    return words.mode_word(_spoken_to.get(), mode)


def _rule_sentence(rule: str | Step) -> str:
    return words.rule_sentence(_spoken_to.get(), rule)


def _money(amount: Decimal, currency: str) -> str:
    return _spoken_to.get().money(amount, currency)


def _cost(amount: Decimal, currency: str) -> str:
    return _spoken_to.get().cost(amount, currency)


def _when(moment: datetime) -> str:
    return _spoken_to.get().when(moment)


def _day(day: date) -> str:
    return _spoken_to.get().day(day)


def _left(until: datetime) -> str:
    return _spoken_to.get().left(until)


def _duration(seconds: float) -> str:
    return _spoken_to.get().duration(seconds)


def _number(value: int) -> str:
    return _spoken_to.get().number(value)


_FORMATS = {
    "new_operation": _new_operation,
    "mode_word": _mode_word,
    "rule_sentence": _rule_sentence,
    "format_money": _money,
    "format_cost": _cost,
    "format_when": _when,
    "format_day": _day,
    "format_left": _left,
    "format_duration": _duration,
    "format_number": _number,
}
