"""What does a form of a job sheet hold, as it arrives? Its fields are named as `valid.problems` names what is wrong."""

import re
from dataclasses import replace

from starlette.datastructures import FormData

from app.web.sheet_form.typed import Typed, TypedCeiling, TypedCondition, TypedException
from app.web.tell.values import CURRENCY

LONGEST = 30_000  # characters of one field; what is longer is cut, and refused as too long
MOST = 60  # of one sort; more are not read, and more than 50 are refused
ROW = re.compile(r"(exceptions|ceilings)\.(\d{1,3})\.id")
CONDITION = re.compile(r"exceptions\.\d{1,3}\.conditions\.(\d{1,3})\.field")


def read_form(form: FormData) -> Typed:
    """Everything that was typed; rows are numbered anew, and conditions that were left empty are left out."""
    number = _one(form, "based_on")
    return Typed(
        based_on=int(number) if number.isdecimal() and len(number) < 9 else 0,
        mission=_one(form, "mission"),
        instructions=_one(form, "instructions"),
        kinds=_named(form, "kinds."),
        tools=_named(form, "tools."),
        public_tools=_several(form, "public_tools"),
        who=_one(form, "who"),
        talkers=_several(form, "talkers"),
        outside={"on": True, "off": False}.get(_one(form, "outside")),
        exceptions=tuple(_exception(form, place) for place in _places(form, "exceptions")),
        ceilings=tuple(_ceiling(form, place) for place in _places(form, "ceilings")),
    )


def with_row(typed: Typed, sort: str) -> Typed:
    """One empty exception or limit more."""
    if sort == "exceptions":
        return replace(typed, exceptions=(*typed.exceptions, TypedException()))
    return replace(typed, ceilings=(*typed.ceilings, TypedCeiling(unit=CURRENCY)))


def without_row(typed: Typed, sort: str, place: int) -> Typed:
    """One fewer; a place where nothing is changes nothing."""
    if sort == "exceptions":
        return replace(typed, exceptions=typed.exceptions[:place] + typed.exceptions[place + 1 :])
    return replace(typed, ceilings=typed.ceilings[:place] + typed.ceilings[place + 1 :])


def _exception(form: FormData, place: int) -> TypedException:
    at = f"exceptions.{place}."
    found = (CONDITION.fullmatch(name) for name in form if name.startswith(at))
    numbers = sorted(int(one[1]) for one in found if one)
    conditions = (
        TypedCondition(*(_one(form, f"{at}conditions.{number}.{part}") for part in ("field", "comparison", "value")))
        for number in numbers[:MOST]
    )
    return TypedException(
        id=_one(form, at + "id"),
        text=_one(form, at + "text"),
        tools=_several(form, at + "tools"),
        conditions=tuple(one for one in conditions if one.field or one.value.strip()),
        ends_on=_one(form, at + "ends_on"),
        uses_per_day=_one(form, at + "uses_per_day"),
    )


def _ceiling(form: FormData, place: int) -> TypedCeiling:
    at = f"ceilings.{place}."
    parts = ("counts", "limit", "unit", "per", "period", "beyond")
    return TypedCeiling(_one(form, at + "id"), _several(form, at + "tools"), *(_one(form, at + part) for part in parts))


def _places(form: FormData, sort: str) -> list[int]:
    found = (ROW.fullmatch(name) for name in form)
    return sorted(int(one[2]) for one in found if one and one[1] == sort)[:MOST]


def _named(form: FormData, prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): _one(form, name) for name in form if name.startswith(prefix)}


def _one(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.replace("\r\n", "\n")[:LONGEST] if isinstance(value, str) else ""


def _several(form: FormData, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in form.getlist(name) if isinstance(one, str)))
