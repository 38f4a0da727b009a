"""Every place where a test may kill a worker is in the list, and every name of the list is a place in the code."""

import ast
from collections import Counter
from pathlib import Path

from app.runs.breakpoints import NAMES
from tests.house.code import files, parsed


def reached(path: Path) -> list[str]:
    """The names that a file reaches."""
    return [
        node.args[0].value
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reach"
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    ]


def test_each_break_point_has_its_place() -> None:
    places = Counter(name for path in files("app") for name in reached(path))
    assert set(places) == set(NAMES)
