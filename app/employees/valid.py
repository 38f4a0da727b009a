"""Can this job sheet be saved? What is wrong with it, field by field, in words for the person who wrote it."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from app.ceilings.ceiling import Ceiling, Per
from app.employees.choices import ToolChoice
from app.employees.draft import Draft
from app.errors import PlacetError
from app.policy.addresses import domain_name
from app.policy.conditions import amount
from app.policy.decision import Comparison, Condition, StandingException
from app.policy.exceptions import normalise
from app.policy.words import N_

LONGEST_MISSION = 2000  # characters
LONGEST_INSTRUCTIONS = 20_000
LONGEST_EXCEPTION = 500
LONGEST_UNIT = 8
MOST_USES = 1000
MOST = 50  # exceptions, and ceilings

Problem = tuple[str, str]


class DraftInvalid(PlacetError):
    """Please look at the marked fields."""

    status = 422

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__()
        self.fields = fields


def problems(draft: Draft, choices: Mapping[str, ToolChoice]) -> dict[str, str]:
    """What is wrong, by field: "mission", "tools.<name>", "exceptions.<place>.text", "ceilings.<place>.limit"."""
    found: dict[str, str] = {}
    for field, sentence in _problems(draft, choices):
        found.setdefault(field, sentence)
    return found


def _problems(draft: Draft, choices: Mapping[str, ToolChoice]) -> Iterator[Problem]:
    if not draft.mission.strip() or len(draft.mission) > LONGEST_MISSION:
        yield "mission", N_("Say in a few sentences what this employee is for.")
    if len(draft.instructions) > LONGEST_INSTRUCTIONS:
        yield "instructions", N_("This is too long.")
    has = {name for name in (*draft.listed_tools, *(n for n, c in choices.items() if c.built_in)) if name in choices}
    for name in draft.listed_tools:
        if name not in choices:
            yield f"listed_tools.{name}", N_("This employee cannot have that.")
    for name in draft.tools:
        if name not in choices:
            yield f"tools.{name}", N_("This employee cannot have that.")
    for name in draft.public_tools:
        if name not in has or choices[name].built_in:
            yield f"public_tools.{name}", N_("Visitors can only be given what the employee has.")
    if len(draft.exceptions) > MOST or len(draft.ceilings) > MOST:
        yield "exceptions" if len(draft.exceptions) > MOST else "ceilings", N_("These are too many to look after.")
    own = {name: choices[name] for name in has}
    texts = [normalise(one.text) for one in draft.exceptions]
    for place, one in enumerate(draft.exceptions):
        if normalise(one.text) in texts[:place]:
            yield f"exceptions.{place}.text", N_("The same sentence is there already.")
        yield from ((f"exceptions.{place}.{field}", said) for field, said in _of_exception(one, own))
    for place, ceiling in enumerate(draft.ceilings):
        yield from ((f"ceilings.{place}.{field}", said) for field, said in _of_ceiling(ceiling, own))


def _of_exception(one: StandingException, own: Mapping[str, ToolChoice]) -> Iterator[Problem]:
    if not one.text.strip() or len(one.text) > LONGEST_EXCEPTION:
        yield "text", N_("Write the exception as one sentence.")
    if not one.tools or not all(name in own and own[name].may_have_exceptions for name in one.tools):
        yield "tools", N_("Choose what the exception is about: something the employee would ask about.")
    if one.uses_per_day is not None and not 1 <= one.uses_per_day <= MOST_USES:
        yield "uses_per_day", N_("Choose a number from 1 to 1000, or leave it empty.")
    for place, condition in enumerate(one.conditions):
        if not all(condition.field in own[name].arguments for name in one.tools if name in own):
            yield f"conditions.{place}.field", N_("What the exception is about has no such detail.")
        if not _comparable(condition):
            yield f"conditions.{place}.value", N_("This cannot be compared with that.")


def _comparable(condition: Condition) -> bool:
    value = condition.value
    match condition.comparison:
        case Comparison.AT_MOST | Comparison.AT_LEAST:
            return amount(value) is not None
        case Comparison.DOMAIN_IS:
            return isinstance(value, str) and domain_name(value) is not None
        case Comparison.IS_ONE_OF:
            return isinstance(value, list | tuple) and bool(value) and all(one not in ("", None) for one in value)
        case Comparison.IS:
            return value not in ("", None) and not isinstance(value, list | tuple | dict)
        case _:
            return False


def _of_ceiling(ceiling: Ceiling, own: Mapping[str, ToolChoice]) -> Iterator[Problem]:
    known = [own[name] for name in ceiling.tools if name in own]
    if not ceiling.tools or len(known) < len(ceiling.tools) or not all(one.may_have_ceilings for one in known):
        yield "tools", N_("Choose what is counted: something the employee does, not what it reads.")
    if ceiling.counts is not None and not all(ceiling.counts in one.amounts for one in known):
        yield "counts", N_("That is not an amount which can be added up.")
    if ceiling.per is Per.TARGET and not all(one.has_target for one in known):
        yield "per", N_("What is counted is not aimed at anything in particular.")
    if not ceiling.limit.is_finite() or not Decimal(0) <= ceiling.limit < Decimal(10) ** 9:
        yield "limit", N_("Write the limit as a number, like 150.")
    if len(ceiling.unit) > LONGEST_UNIT or not all(letter.isalpha() or letter in "€$£" for letter in ceiling.unit):
        yield "unit", N_("Write the unit as a short word, like EUR.")
