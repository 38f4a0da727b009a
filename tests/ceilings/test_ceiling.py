"""What a ceiling adds up: amounts, rounded up; what is no amount is unknown, and so never fits."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.ceilings.ceiling import Ceiling, Per, Period
from app.ceilings.reserve import counted_amount, shown
from tests.sheets import mails_a_day, refunds_a_month

LIMITED = replace(refunds_a_month("25"), id="c1")


@pytest.mark.parametrize("given_amount", ["-1", "1e9", "many", "", None, True, "NaN", str(10**10)])
def test_what_is_no_amount_is_counted_as_unknown(given_amount: str | bool | None) -> None:
    assert counted_amount(LIMITED, {"amount": given_amount}).is_nan()


@given(some.decimals(min_value=0, max_value=10**9, allow_nan=False, places=9))
def test_an_amount_is_never_counted_as_less_than_it_is(amount: Decimal) -> None:
    assert counted_amount(LIMITED, {"amount": f"{amount:f}"}) >= amount


@given(some.decimals(min_value=0, max_value=10**9, allow_nan=False, places=6))
def test_what_is_shown_is_what_is_counted(amount: Decimal) -> None:
    assert shown(amount) == amount


@pytest.mark.parametrize("per", Per)
@pytest.mark.parametrize("period", Period)
def test_a_ceiling_is_stored_as_it_was(per: Per, period: Period) -> None:
    one = replace(LIMITED, per=per, period=period)
    assert Ceiling.from_json(one.to_json()) == one and Ceiling.from_json(mails_a_day(5).to_json()) == mails_a_day(5)
