"""Which job sheet was meant by what was typed, and which field holds no number, no day, no choice?"""

from collections.abc import Collection, Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from app.ceilings.ceiling import Ceiling, Per, Period
from app.employees.draft import Draft
from app.language.speech import N_
from app.policy.conditions import amount
from app.policy.decision import Comparison, Condition, Json, Kind, Mode, StandingException
from app.web.sheet_form.typed import ABSENT, ONLY_SOME, Typed, TypedCeiling, TypedCondition, TypedException
from app.web.tell.values import plain_number

NOT_A_DAY = N_("Choose a day, or leave it empty.")
NOBODY = N_("Choose at least one colleague, or everybody.")
NOT_A_CHOICE = N_("Choose one of the list.")
Word = TypeVar("Word", bound=StrEnum)
NOT_A_NUMBER = -1  # what the job sheet itself refuses, at that field


def drafted(
    typed: Typed, base: Draft, *, built_in: Iterable[str], amounts: Collection[str]
) -> tuple[Draft, dict[str, str]]:
    """The draft, with what was not asked (title) as it is in `base`; and what could not be read, by field.

    `amounts`: the arguments that are sums. "exactly 20" of one of them is 20.00 too.
    """
    wrong: dict[str, str] = {}
    chosen = {name: choice for name, choice in typed.tools.items() if choice != ABSENT}
    everybodys = set(built_in)
    listed = tuple(name for name in chosen if name not in everybodys or name in base.listed_tools)
    draft = Draft(
        mission=typed.mission,
        instructions=typed.instructions,
        kinds={kind: mode for kind in Kind if (mode := _choice(Mode, typed.kinds.get(kind.value, "")))},
        tools={name: mode for name, choice in chosen.items() if (mode := _choice(Mode, choice))},
        listed_tools=_in_order(listed, base.listed_tools),
        public_tools=_in_order((name for name in typed.public_tools if name in listed), base.public_tools),
        exceptions=tuple(
            _exception(one, f"exceptions.{place}.", wrong, amounts) for place, one in enumerate(typed.exceptions)
        ),
        ceilings=tuple(_ceiling(one) for one in typed.ceilings),
        outside_content_rule=base.outside_content_rule if typed.outside is None else typed.outside,
        talkers=frozenset(_ids(typed.talkers)) if typed.who == ONLY_SOME else frozenset(),
        title=base.title,
    )
    if typed.who == ONLY_SOME and not draft.talkers:
        wrong["talkers"] = NOBODY
    return draft, wrong


def _exception(one: TypedException, at: str, wrong: dict[str, str], amounts: Collection[str]) -> StandingException:
    ends_on = None
    if one.ends_on.strip():
        try:
            ends_on = date.fromisoformat(one.ends_on.strip())
        except ValueError:
            wrong[f"{at}ends_on"] = NOT_A_DAY
    return StandingException(
        id=one.id,
        text=" ".join(one.text.split()),
        tools=frozenset(one.tools),
        conditions=tuple(
            _condition(each, f"{at}conditions.{place}.", wrong, amounts) for place, each in enumerate(one.conditions)
        ),
        ends_on=ends_on,
        uses_per_day=_whole(one.uses_per_day) if one.uses_per_day.strip() else None,
    )


def _condition(one: TypedCondition, at: str, wrong: dict[str, str], amounts: Collection[str]) -> Condition:
    comparison = _choice(Comparison, one.comparison)
    if comparison is None:
        wrong[f"{at}value"] = NOT_A_CHOICE
        comparison = Comparison.IS
    return Condition(one.field, comparison, _value(comparison, one.value.strip(), is_sum=one.field in amounts))


def _value(comparison: Comparison, written: str, *, is_sum: bool) -> Json:
    if comparison is Comparison.IS_ONE_OF:
        parts = [part.strip() for part in written.replace("\n", ",").replace(";", ",").split(",") if part.strip()]
        return [_sum(part) if is_sum else part for part in parts]
    if comparison is Comparison.IS and is_sum:
        return _sum(written)
    if comparison in (Comparison.AT_MOST, Comparison.AT_LEAST):
        plain = plain_number(written)
        return plain if amount(plain) is not None else written
    return written


def _sum(written: str) -> Json:
    """A number, which is the same however many zeros the employee writes; a text where it is none."""
    found = amount(plain_number(written))
    return written if found is None else float(found)


def _ceiling(one: TypedCeiling) -> Ceiling:
    try:
        limit = Decimal(plain_number(one.limit))
    except InvalidOperation:
        limit = Decimal("NaN")
    return Ceiling(
        id=one.id,
        tools=frozenset(one.tools),
        counts=one.counts or None,
        per=_choice(Per, one.per) or Per.ALL,
        period=_choice(Period, one.period) or Period.DAY,
        limit=limit,
        soft=one.beyond == "soft",
        unit=one.unit.strip() if one.counts else "",
    )


def _whole(written: str) -> int:
    plain = plain_number(written)
    return int(plain) if plain.isdecimal() and len(plain) < 9 else NOT_A_NUMBER


def _choice(of: type[Word], word: str) -> Word | None:
    return of(word) if word in list(of) else None


def _ids(found: Iterable[str]) -> list[UUID]:
    ids = []
    for one in found:
        try:
            ids.append(UUID(one))
        except ValueError:
            continue  # no id: nobody is chosen by it
    return ids


def _in_order(names: Iterable[str], first: tuple[str, ...]) -> tuple[str, ...]:
    """As they were, new ones at the end: another order is no change."""
    found = list(names)
    return (*(name for name in first if name in found), *(name for name in found if name not in first))
