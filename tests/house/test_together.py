"""Tests that share what may not be shared twice stay in one process, whatever becomes of pytest's own groups."""

from pathlib import Path

from tests.together import TOGETHER, group_of

HOUSE = Path(__file__).parents[2]


def test_every_place_of_a_group_exists() -> None:
    assert [place for place in TOGETHER if not (HOUSE / place).exists()] == []


def test_a_test_is_grouped_by_where_it_is() -> None:
    assert group_of("tests/faults/test_kills.py::test_a") == "kills"
    assert group_of("tests/faults/test_fence.py::test_a") == "faults"
    assert group_of("tests/cli/test_demo.py::test_b[with @ and ]]") == "demo"
    assert group_of("tests/house/test_together.py::test_c") is None
