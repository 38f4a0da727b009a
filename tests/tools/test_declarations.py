"""A tool is easy to write well and hard to write wrongly: what it leaves unsaid stops the start."""

from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import Field, JsonValue

from app.policy.decision import Kind
from app.tools.catalogue import BUILT_IN, TOOLS
from app.tools.context import Context
from app.tools.tool import ArgumentsInvalid, Bound, Effect, Leaves, NothingBound, Provenance, Target, Tool, tool

GOOD = "Pays a voucher. Use it to make up for a mistake. It does not work twice."
Amount = Annotated[Decimal, Field(gt=0, description="How much, in euros.")]
Whom = Annotated[str, Bound("correspondent"), Target]


def made(text: str = GOOD, *, kind: Kind = Kind.ACT, amount: Any = Amount, to: Any = Whom, **said: Any) -> Tool:
    async def voucher(ctx: Context, amount: Any, to: Any, note: Any = "") -> JsonValue:
        return {"amount": str(amount), "to": to, "note": note}

    note = Annotated[str, Field(description="A word with it."), Leaves]
    voucher.__doc__, voucher.__annotations__ = text, {"ctx": Context, "amount": amount, "to": to, "note": note}
    return tool(kind=kind, in_words=lambda _: Effect("arguments", "Pay"), **said)(voucher)


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"text": "Pays a voucher. It does not work twice."},  # two sentences
        {"text": "Pays a voucher. Use it at will. It is good."},  # not what it does not do
        {"amount": Decimal},  # not described
        {"amount": Annotated[Decimal, Field(gt=0)]},
        {"to": Annotated[str, Bound("correspondent")]},  # it acts, and says not where
        {"reads_outside": True},  # only a read reads outside
        {"open_to_strangers": True},
    ],
)
def test_what_is_left_unsaid_or_makes_no_sense_stops_the_start(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="voucher"):
        made(**wrong)


def test_what_is_said_stands_in_the_tool() -> None:
    voucher = made(strict=True, changes_by_itself=True, uses_a_run=3, provenance=Provenance.OUTSIDE)
    view, told = voucher.view(), voucher.for_model()
    assert (view.targets, view.leaves, view.bound) == ({"to"}, {"note"}, {"to"})
    assert told["strict"] is True and "strict" not in made().for_model()
    assert set(told["input_schema"]["properties"]) == {"amount", "note", "_why", "_exception"}
    assert told["input_schema"]["required"] == ["amount", "_why"]
    assert told["input_schema"]["additionalProperties"] is False


def test_a_local_read_gives_no_reason_and_one_that_reaches_outside_does() -> None:
    for outside in (False, True):
        told = made(kind=Kind.READ, reads_outside=outside).for_model()
        assert ("_why" in told["input_schema"]["properties"]) is outside


def test_what_is_bound_is_filled_in_by_us_and_no_output_of_the_model_changes_it() -> None:
    voucher = made()
    assert voucher.check({"amount": "5"}, {"correspondent": "emma@example.com"})["to"] == "emma@example.com"
    with pytest.raises(ArgumentsInvalid) as wrong:
        voucher.check({"amount": "5", "to": "thief@example.com"}, {"correspondent": "emma@example.com"})
    assert list(wrong.value.fields) == ["to"]
    with pytest.raises(NothingBound):
        voucher.check({"amount": "5"}, {})


def test_wrong_arguments_are_named_one_by_one() -> None:
    with pytest.raises(ArgumentsInvalid) as wrong:
        made().check({"amount": "-1", "nte": "x"}, {"correspondent": "a"})
    assert set(wrong.value.fields) == {"amount", "nte"}


@pytest.mark.parametrize("name", TOOLS)
def test_each_of_our_own_says_all_that_a_tool_has_to_say(name: str) -> None:
    """What acts says where; two underscores stand in the names of others' tools only."""
    one = TOOLS[name]
    assert "__" not in name and one.provenance in Provenance and one.seconds > 0
    assert not one.foreign and one.reviewed and not one.changed
    assert (one.kind in (Kind.ACT, Kind.DELETE)) <= bool(one.targets)
    assert one.in_words({}).sentence
    assert (name in BUILT_IN) <= (one.kind is Kind.ORGANIZE)
