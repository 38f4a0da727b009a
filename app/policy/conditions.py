"""Does an argument meet a condition? Texts exactly, amounts as decimals, addresses and hosts parsed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from app.policy.addresses import addresses, domain, domain_name, host
from app.policy.decision import Comparison, Condition, Json, ToolView

ABSENT: tuple[Json, ...] = (None, "", [], ())
AMOUNT = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
FIXING = frozenset({Comparison.IS, Comparison.IS_ONE_OF})


def all_met(conditions: Sequence[Condition], tool: ToolView, arguments: Mapping[str, Json]) -> bool:
    """Whether every condition holds, those about addresses for all recipients and copies of the call."""
    own = {condition.field for condition in conditions}
    for condition in conditions:
        if not met(condition, value_at(arguments, condition.field)):
            return False
        if names_addresses(condition) and not all(
            met(condition, arguments[name]) for name in other_recipients(tool, arguments, own)
        ):
            return False
    return True


def met(condition: Condition, value: Json) -> bool:
    """Whether one value meets one condition; an absent value meets none."""
    compare = COMPARISONS.get(condition.comparison)
    return compare is not None and not is_absent(value) and compare(value, condition.value)


def is_absent(value: Json) -> bool:
    """Whether an argument says nothing: it aims at nobody and carries nothing out."""
    return any(value is nothing or (type(value) is type(nothing) and value == nothing) for nothing in ABSENT)


def names_addresses(condition: Condition) -> bool:
    """Whether a condition is about mail addresses, and so about every recipient there is."""
    match condition.comparison:
        case Comparison.DOMAIN_IS:
            return True
        case Comparison.IS | Comparison.IS_ONE_OF:
            return bool(addresses(condition.value))
        case _:
            return False


def other_recipients(tool: ToolView, arguments: Mapping[str, Json], own: set[str]) -> Iterator[str]:
    """The arguments without a condition of their own that name recipients too: copies, blind copies.

    A declared target counts as soon as it has an `@`, also one that we cannot parse. Nobody declared
    which arguments of a foreign tool are targets, so any that holds an address counts.
    """
    declared = bool(tool.targets) and not tool.foreign
    counts = _has_at_sign if declared else _holds_address
    for name in sorted(tool.targets if declared else arguments):
        if name in arguments and name not in own and name not in tool.bound and counts(arguments[name]):
            yield name


def value_at(arguments: Mapping[str, Json], path: str) -> Json:
    """The argument of that name, or what a dotted path leads to inside one; `None` where there is nothing."""
    if path in arguments:
        return arguments[path]
    value: Json = arguments
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def same(one: Json, other: Json) -> bool:
    """Whether two values are the same in JSON: unlike in Python, `true` is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other) and one == other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return one == other


def _has_at_sign(value: Json) -> bool:
    return "@" in unicodedata.normalize("NFKC", str(value))


def _holds_address(value: Json) -> bool:
    if isinstance(value, str):
        return any(addresses(part) for part in re.split(r"[,;]", value))
    if isinstance(value, Mapping):
        return any(_holds_address(item) for item in value.values())
    return isinstance(value, Sequence) and any(_holds_address(item) for item in value)


def _is(value: Json, wanted: Json) -> bool:
    """The same value; where an address is wanted, every address given is that one."""
    if wanted_addresses := (addresses(wanted) if isinstance(wanted, str) else None):
        found = addresses(value)
        return bool(found) and set(found or ()) == set(wanted_addresses)
    number = amount(wanted) if not isinstance(wanted, str) else None
    return same(value, wanted) if number is None else amount(value) == number


def _is_one_of(value: Json, wanted: Json) -> bool:
    if isinstance(wanted, str) or not isinstance(wanted, Sequence):
        return False
    if known := addresses(wanted):
        found = addresses(value)
        return bool(found) and set(found or ()) <= set(known)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(any(_is(item, choice) for choice in wanted) for item in value)
    return any(_is(value, choice) for choice in wanted)


def _at_most(value: Json, wanted: Json) -> bool:
    """Up to an amount, and not below zero: a negative refund is a charge."""
    given, limit = amount(value), amount(wanted)
    return given is not None and limit is not None and min(limit, Decimal(0)) <= given <= limit


def _at_least(value: Json, wanted: Json) -> bool:
    given, limit = amount(value), amount(wanted)
    return given is not None and limit is not None and given >= limit


def _domain_is(value: Json, wanted: Json) -> bool:
    name = domain_name(wanted) if isinstance(wanted, str) else None
    if name is None:
        return False
    found = addresses(value)
    if found is not None:
        return bool(found) and all(domain(address) == name for address in found)
    return isinstance(value, str) and host(value) == name


def amount(value: Json) -> Decimal | None:
    """An amount written as a number or as plain digits; anything else (`1e9`, `20,00`, `20 EUR`) is not one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, str) and not AMOUNT.fullmatch(value):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


COMPARISONS: Mapping[Comparison, Callable[[Json, Json], bool]] = {
    Comparison.IS: _is,
    Comparison.IS_ONE_OF: _is_one_of,
    Comparison.AT_MOST: _at_most,
    Comparison.AT_LEAST: _at_least,
    Comparison.DOMAIN_IS: _domain_is,
}
