"""Does a condition hold exactly where a manager would say that it does?"""

import pytest

from app.policy.conditions import all_met, met, same
from app.policy.decision import Comparison, Condition, Json, Kind, ToolView

MAIL = ToolView("send_mail", Kind.ACT, targets=frozenset({"to", "cc", "bcc"}))
FOREIGN = ToolView("post__send", Kind.ACT, foreign=True)
NADIA = "nadia@colibri.fr"
EVE = "eve@evil.example"


@pytest.mark.parametrize(
    ("comparison", "wanted", "holds", "fails"),
    [
        (Comparison.IS, "1001", ["1001"], [1001, "1001 ", "1002", None, "", ["1001"]]),
        (Comparison.IS, 15, [15, "15.00", 15.0], ["15,00", "15 EUR", 16, True]),
        (Comparison.IS, True, [True], [1, "true", False]),
        (
            Comparison.IS,
            NADIA,
            [NADIA, f"N <{NADIA}>", [NADIA]],
            [f"{NADIA}, {EVE}", [NADIA, EVE], EVE, [], NADIA + ","],
        ),
        (Comparison.IS_ONE_OF, ["red", "blue"], ["red", ["red", "blue"]], ["green", ["red", "green"], "Red"]),
        (Comparison.IS_ONE_OF, [NADIA, "a@b.fr"], [NADIA, f"{NADIA}; a@b.fr"], [EVE, f"{NADIA}; {EVE}"]),
        (Comparison.IS_ONE_OF, [], [], ["red", NADIA]),
        (Comparison.IS_ONE_OF, "red", [], ["red", "r"]),
        (Comparison.AT_MOST, "20", ["20.00", 20, 0, 19.99], ["20.01", -1, "1e1", "NaN", "20 EUR", True, None, [5]]),
        (Comparison.AT_MOST, 20, ["20"], [float("nan"), float("inf")]),
        (Comparison.AT_LEAST, 5, [5, "7"], [4.99, "many"]),
        (Comparison.DOMAIN_IS, "colibri.fr", [NADIA, [NADIA, "omar@Colibri.FR"], "https://colibri.fr/x"], [EVE]),
        (Comparison.DOMAIN_IS, "colibri.fr", [], [[NADIA, EVE], "x@evil.colibri.fr", "x@colibri.fr.evil.example", []]),
        (
            Comparison.DOMAIN_IS,
            "colibri.fr",
            [],
            [f"{NADIA} <{EVE}>", f"{NADIA}\n{EVE}", "https://colibri.fr@evil.example"],
        ),
    ],
)
def test_comparisons(comparison: Comparison, wanted: Json, holds: list[Json], fails: list[Json]) -> None:
    condition = Condition("x", comparison, wanted)

    assert [value for value in holds if not met(condition, value)] == []
    assert [value for value in fails if met(condition, value)] == []


def test_an_unknown_comparison_holds_for_nothing() -> None:
    assert not met(Condition("x", "sounds_like", "red"), "red")  # type: ignore[arg-type]


@pytest.mark.parametrize("wanted", [(Comparison.DOMAIN_IS, "colibri.fr"), (Comparison.IS, NADIA)])
@pytest.mark.parametrize("tool", [MAIL, FOREIGN])
def test_a_condition_on_the_recipient_holds_for_all_copies(tool: ToolView, wanted: tuple[Comparison, str]) -> None:
    conditions = (Condition("to", *wanted),)

    assert all_met(conditions, tool, {"to": NADIA, "cc": [NADIA], "bcc": None})
    assert not all_met(conditions, tool, {"to": NADIA, "cc": [NADIA, EVE]})
    assert not all_met(conditions, tool, {"to": NADIA, "bcc": f"Nadia, {EVE}"})


def test_a_copy_that_cannot_be_parsed_is_not_taken_for_nobody() -> None:
    conditions = (Condition("to", Comparison.DOMAIN_IS, "colibri.fr"),)

    assert not all_met(conditions, MAIL, {"to": NADIA, "cc": f"({NADIA}) {EVE}"})
    assert not all_met(conditions, MAIL, {"to": NADIA, "cc": "eve＠evil.example"})


def test_a_copy_may_have_a_condition_of_its_own() -> None:
    conditions = (Condition("to", Comparison.IS, NADIA), Condition("cc", Comparison.IS, "a@b.fr"))

    assert all_met(conditions, MAIL, {"to": NADIA, "cc": "a@b.fr"})


def test_a_condition_reaches_inside_an_argument() -> None:
    assert all_met((Condition("order.total", Comparison.AT_MOST, 20),), MAIL, {"order": {"total": 12}})
    assert not all_met((Condition("order.total", Comparison.AT_MOST, 20),), MAIL, {"order": "12"})


def test_values_are_the_same_as_in_json_and_not_as_in_python() -> None:
    assert same({"a": [1, "x", None]}, {"a": [1, "x", None]})
    assert not same(True, 1)
    assert not same("1", 1)
    assert not same([1, 2], [2, 1])
    assert not same({"a": 1}, {"a": 1, "b": 2})
