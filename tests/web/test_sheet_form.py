"""What is typed into the form of a job sheet means what a person meant, and comes back as it was typed."""

from dataclasses import replace

import pytest

from app.employees.draft import Draft
from app.policy.conditions import met
from app.policy.decision import Condition, StandingException
from app.web.sheet_form.drafted import drafted
from app.web.sheet_form.typed import Typed, TypedCondition, TypedException, typed_of

AMOUNTS = {"amount"}
NOTHING = Draft("", "", {}, {}, ())


def condition(comparison: str, value: str, field: str = "amount") -> Condition:
    asked = TypedCondition(field, comparison, value)
    one = TypedException(text="Small refunds.", tools=("refund_order",), conditions=(asked,))
    draft, wrong = drafted(Typed(1, exceptions=(one,)), NOTHING, built_in=(), amounts=AMOUNTS)
    assert wrong == {}
    return draft.exceptions[0].conditions[0]


@pytest.mark.parametrize("written", ["20", "20.00", "20.0", 20, 20.0])
@pytest.mark.parametrize(("comparison", "value"), [("is", "20"), ("is", "20,00"), ("is_one_of", "5; 20")])
def test_a_sum_is_the_same_however_many_zeros_the_employee_writes(comparison, value, written):
    assert met(condition(comparison, value), written)
    assert not met(condition(comparison, value), "20.01")


def test_what_is_no_sum_stays_a_text():
    assert condition("is", "0020", field="order").value == "0020"
    assert condition("is", "all of it").value == "all of it"


@pytest.mark.parametrize(("value", "shown"), [("20.50", "20.5"), ("0,125", "0.125"), ("100", "100")])
def test_it_comes_back_as_a_person_writes_it_and_means_the_same(value, shown):
    kept = condition("is", value)
    sheet = replace(
        NOTHING, exceptions=(StandingException("e", "Small refunds.", frozenset({"refund_order"}), (kept,)),)
    )
    ((again,),) = [one.conditions for one in typed_of(sheet, 1).exceptions]
    assert again.value == shown and condition("is", again.value) == kept
