"""When are two calls nearly the same? Case, accent, order and plural do not matter; figures and directions do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from app.runs.normal import nearly


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("blue tea cup", "Tea cup, BLUE", True),
        ("théière", "THEIERE", True),
        ("tea  cup!", "tea cup", True),
        ("order MC-1042", "order MC-1043", False),
        ("MC-1042", "mc-1042", False),
        ("2 cups", "3 cups", False),
        ("refund", "do not refund", False),
        ("from Lyon to Paris", "from Paris to Lyon", False),
        ("de Lyon vers Paris", "de Paris vers Lyon", False),
        ("from Lyon to Paris", "From LYON to Paris.", True),
        ("page 1", "page 2", False),
        ("tea cup", "tea cups", True),
        ("glass", "glas", False),
        ("tea tea", "tea", False),
        ("???", "!!!", False),
        ("", " ", False),
        (["a", "b"], ["b", "a"], False),
        ({"query": "Blue cup"}, {"query": "cup blue"}, True),
        ({"query": "cup"}, {"other": "cup"}, False),
        (1, 1.5, False),
        (True, "true", False),
        (None, "", False),
    ],
)
def test_what_is_nearly_the_same(one: JsonValue, other: JsonValue, same: bool) -> None:
    assert (nearly(one) == nearly(other)) is same


@given(st.lists(st.sampled_from(["tea", "Cup", "bleu", "grün", "MC-1042", "24.50"]), max_size=6))
def test_case_and_order_of_words_do_not_matter(words: list[str]) -> None:
    spoken = [word if any(letter.isdigit() for letter in word) else word.upper() for word in reversed(words)]
    assert nearly(" ".join(words)) == nearly(" ".join(spoken))


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_other_numbers_are_never_the_same(one: int, other: int) -> None:
    assert (nearly(f"refund {one}") == nearly(f"refund {other}")) is (one == other)
