"""What makes a tool: a declaration that leaves nothing unsaid, and a schema from which nobody can break out."""

from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, JsonValue

from app.policy.decision import Kind
from app.runs.call import wanted
from app.tools.catalogue import TOOLS
from app.tools.context import Context
from app.tools.tool import ArgumentsInvalid, Bound, Effect, NothingBound, Target, Tool, tool

ABOUT: dict[str, JsonValue] = {
    "order": "MC-1042",
    "correspondent": "emma@example.com",
    "mail": "m",
    "message_id": "",
    "in_reply_to": "",
}
Text = Annotated[str, Field(min_length=1, description="A text.")]


def effect(arguments: Any) -> Effect:
    return Effect("read", "…")


async def fine(ctx: Context, text: Text, to: Annotated[str, Bound("correspondent"), Target]) -> JsonValue:
    """Says a text. Use it for tests. It does not do anything else."""
    return text


async def no_ctx(text: Text) -> JsonValue:
    """Says a text. Use it for tests. It does not do anything else."""


def not_async(ctx: Context) -> JsonValue:
    """Says a text. Use it for tests. It does not do anything else."""


async def no_words(ctx: Context) -> JsonValue: ...


async def two_sentences(ctx: Context) -> JsonValue:
    """Says a text. It does not do anything else."""


async def no_bounds(ctx: Context) -> JsonValue:
    """Says a text. Use it for tests. It does everything else, too."""


async def undescribed(ctx: Context, text: str) -> JsonValue:
    """Says a text. Use it for tests. It does not do anything else."""


async def aimless(ctx: Context, text: Text) -> JsonValue:
    """Says a text. Use it for tests. It does not do anything else."""


@pytest.mark.parametrize("function", [no_ctx, not_async, no_words, two_sentences, no_bounds, undescribed])
def test_a_declaration_that_leaves_something_unsaid_stops_the_start(function: Any) -> None:
    with pytest.raises(TypeError, match=function.__name__):
        tool(kind=Kind.READ, in_words=effect)(function)


@pytest.mark.parametrize("kind", [Kind.ACT, Kind.DELETE])
def test_what_acts_says_where_it_acts(kind: Kind) -> None:
    with pytest.raises(TypeError, match="aimless"):
        tool(kind=kind, in_words=effect)(aimless)
    assert tool(kind=kind, in_words=effect)(fine).targets == {"to"}


@pytest.mark.parametrize("more", [{"reads_outside": True}, {"open_to_strangers": True}])
def test_only_a_read_is_open_to_strangers_or_reaches_outside(more: dict[str, bool]) -> None:
    with pytest.raises(TypeError, match="fine"):
        tool(kind=Kind.ACT, in_words=effect, **more)(fine)  # type: ignore[arg-type]  # each is a flag


@pytest.mark.parametrize("one", TOOLS.values(), ids=TOOLS)
def test_the_model_sees_no_bound_argument_and_nothing_else_is_taken(one: Tool) -> None:
    schema = one.for_model()["input_schema"]
    assert isinstance(schema, dict) and schema["additionalProperties"] is False
    properties = schema["properties"]
    assert isinstance(properties, dict) and not set(one.bound) & set(properties)
    required = schema.get("required", [])
    assert isinstance(required, list)
    assert ("_why" in properties) == ("_exception" in properties) == ("_why" in required) == one.may_ask


@pytest.mark.parametrize("one", [each for each in TOOLS.values() if each.bound], ids=lambda each: each.name)
@given(value=st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text(), max_size=2))
def test_whatever_the_model_writes_it_cannot_aim_a_bound_argument(one: Tool, value: JsonValue) -> None:
    given_fields: dict[str, JsonValue] = {name: "1" for name in one.arguments.model_fields}
    for bound in one.bound:
        with pytest.raises(ArgumentsInvalid) as caught:
            one.check({**given_fields, bound: value}, ABOUT)
        assert bound in caught.value.fields
    try:
        canonical = one.check(given_fields, ABOUT)
    except ArgumentsInvalid:
        return  # "1" fits not every field
    assert {name: canonical[name] for name in one.bound} == {name: ABOUT[what] for name, what in one.bound.items()}


@pytest.mark.parametrize("one", [each for each in TOOLS.values() if each.bound], ids=lambda each: each.name)
def test_without_what_the_task_is_about_it_cannot_be_called(one: Tool) -> None:
    fields: dict[str, JsonValue] = {name: "1" for name in one.arguments.model_fields}
    with pytest.raises((NothingBound, ArgumentsInvalid)):
        one.check(fields, {})


@given(st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=3), st.text(), st.text())
def test_our_two_fields_are_taken_off_before_anything_is_compared(
    arguments: dict[str, str], why: str, cited: str
) -> None:
    given_to_us: dict[str, JsonValue] = {**arguments, "_why": why, "_exception": cited}
    asked = wanted({"id": "a", "name": "x", "input": given_to_us})
    assert not {"_why", "_exception"} & set(asked.given)
    assert asked.why == why[:200] and asked.cited == cited


@pytest.mark.parametrize("value", [[], {}, 7, None, True, ["a"]])
def test_our_two_fields_may_hold_anything(value: JsonValue) -> None:
    asked = wanted({"id": "a", "name": "x", "input": {"_why": value, "_exception": value}})
    assert asked.given == {} and isinstance(asked.why, str) and isinstance(asked.cited, str)


AMOUNTS = [("10", "10.00"), (10, "10.00"), (24.5, "24.50"), ("24.5", "24.50"), ("1E+1", "10.00"), ("010.10", "10.10")]


@pytest.mark.parametrize(("given_amount", "shown"), AMOUNTS)
def test_one_amount_has_one_spelling(given_amount: JsonValue, shown: str) -> None:
    """Case 3: what is shown, compared and sent is the same, whatever the model wrote."""
    canonical = TOOLS["refund_order"].check({"amount": given_amount, "reason": "broken"}, ABOUT)
    assert canonical["amount"] == shown
    assert TOOLS["refund_order"].check({"amount": canonical["amount"], "reason": "broken"}, ABOUT) == canonical


@pytest.mark.parametrize("amount", ["0", "-1", "NaN", "Infinity", "1.001", "", "ten", None, "1e99", [1]])
def test_what_is_no_amount_is_refused(amount: JsonValue) -> None:
    with pytest.raises(ArgumentsInvalid) as caught:
        TOOLS["refund_order"].check({"amount": amount, "reason": "broken"}, ABOUT)
    assert list(caught.value.fields) == ["amount"]


async def test_what_was_shown_is_byte_for_byte_what_the_tool_gets() -> None:
    """Case 3."""
    got: list[Any] = []

    async def pay(
        ctx: Context,
        amount: Annotated[Decimal, Field(description="How much.")],
        to: Annotated[str, Bound("correspondent"), Target],
        note: Annotated[str, Field(description="A word.")] = "with thanks",
    ) -> JsonValue:
        """Pays. Use it for tests. It does not really pay."""
        got.extend([str(amount), to, note])
        return None

    made = tool(kind=Kind.ACT, in_words=effect)(pay)
    canonical = made.check({"amount": "1.50"}, ABOUT)
    await made.run(None, canonical)  # type: ignore[arg-type]  # this one needs no context
    assert (
        got == [canonical["amount"], canonical["to"], canonical["note"]] == ["1.50", "emma@example.com", "with thanks"]
    )
