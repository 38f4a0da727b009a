"""A file is one idea and fits into a head (STYLE 1, 2, 3)."""

import ast
from pathlib import Path

from tests.house.code import files, name_of, parsed

LONGEST_FILE = 300
LONGEST_FUNCTION = 40
LONGEST_TEMPLATE = 150
LONGEST_TEST = 25
# Named, with the reason; this list only gets shorter.
LONGER = {"app/demo/shop/goods.py:orders": "a list of the orders of the demo, no code"}
NAMES_THAT_SAY_NOTHING = {"utils", "helpers", "common", "manager", "service", "misc", "util", "helper", "core", "base2"}

CODE = [*files("app"), *files("tests"), *files("migrations"), *files(".ci")]


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(parsed(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def too_long(found: dict[str, int], most: int) -> dict[str, int]:
    return {name: size for name, size in found.items() if size > most and name not in LONGER}


def test_no_file_is_too_long() -> None:
    sizes = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert too_long(sizes, LONGEST_FILE) == {}


def test_no_function_is_too_long() -> None:
    sizes = {f"{name_of(path)}:{node.name}": length(node) for path in files("app") for node in functions(path)}
    assert too_long(sizes, LONGEST_FUNCTION) == {}


def test_no_test_is_too_long() -> None:
    sizes = {
        f"{name_of(path)}:{node.name}": length(node)
        for path in files("tests", "**/test_*.py")
        for node in functions(path)
        if node.name.startswith("test_")
    }
    assert too_long(sizes, LONGEST_TEST) == {}


def test_no_template_is_too_long() -> None:
    pages = files("templates", "**/*.html")
    sizes = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in pages}
    assert pages and too_long(sizes, LONGEST_TEMPLATE) == {}


def test_the_list_of_exceptions_only_gets_shorter() -> None:
    there = {name_of(path) for path in [*CODE, *files("templates", "**/*.html")]}
    assert [name for name in LONGER if name.split(":")[0] not in there] == []


def test_every_file_says_first_which_question_it_answers() -> None:
    silent = [name_of(path) for path in files("app") if path.stat().st_size and not ast.get_docstring(parsed(path))]
    assert silent == []


def test_names_say_something() -> None:
    assert [name_of(path) for path in CODE if path.stem in NAMES_THAT_SAY_NOTHING] == []
