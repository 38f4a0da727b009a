"""Which bugs were planted into the policy? One per rule at least; the tests of the policy must find each of them."""

from __future__ import annotations

import functools
import importlib
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

JUDGES = ("tests.policy.test_decide", "tests.policy.test_exceptions", "tests.policy.test_conditions")


@dataclass(frozen=True, slots=True)
class Mutation:
    """A text of a file of `app/policy`, and what it is replaced by."""

    rule: str
    file: str
    old: str
    new: str


MUTATIONS = (
    Mutation(
        "default",
        "decide.py",
        "Kind.ACT: Mode.ASK,\n    Kind.DELETE: Mode.ASK,\n}\nTRIAL",
        "Kind.ACT: Mode.TELL,\n    Kind.DELETE: Mode.ASK,\n}\nTRIAL",
    ),
    Mutation("job_sheet", "decide.py", "if kind is Kind.DELETE else wanted", "if kind is None else wanted"),
    Mutation("job_sheet", "decide.py", "if by_tool is None else by_tool", "or by_tool"),
    Mutation(
        "limits",
        "decide.py",
        "Mode.NEVER if facts.tool.kind in limit.never_kinds",
        "Mode.ASK if facts.tool.kind in limit.never_kinds",
    ),
    Mutation("limits", "decide.py", "at_least(max(floors)", "at_least(min(floors)"),
    Mutation("ceiling", "decide.py", "total.over <= Decimal(0)", "total.used <= total.limit"),
    Mutation("ceiling", "decide.py", "total.this >= Decimal(0) and ", ""),
    Mutation("ceiling", "decide.py", "if not total.soft:", "if total.soft:"),
    Mutation("ceiling", "decide.py", "facts.things > MANY_THINGS", "facts.things >= MANY_THINGS"),
    Mutation(
        "unreviewed",
        "decide.py",
        "return decision if facts.tool.reviewed else",
        "return decision if facts.tool.kind is Kind.READ or facts.tool.reviewed else",
    ),
    Mutation("unreviewed", "decide.py", "if facts.tool.changed:", "if facts.tool.changed and not facts.tool.reviewed:"),
    Mutation(
        "trial",
        "decide.py",
        "{Kind.ACT: Mode.ASK, Kind.DELETE: Mode.NEVER}",
        "{Kind.ACT: Mode.ASK, Kind.DELETE: Mode.ASK}",
    ),
    Mutation("channel", "decide.py", "facts.customer_verified", "True"),
    Mutation("channel", "decide.py", "tool.kind is Kind.READ and (tool.open", "(tool.open"),
    Mutation(
        "outside_content", "decide.py", "facts.tool.reads_outside or facts.tool.foreign", "facts.tool.reads_outside"
    ),
    Mutation("outside_content", "decide.py", "(facts.outside_read or facts.public_channel)", "facts.outside_read"),
    Mutation("outside_content", "decide.py", "and not facts.address_listed", "and facts.address_listed"),
    Mutation("refused_before", "decide.py", 'decision.refusal or "refused_before"', "decision.refusal"),
    Mutation("refused_before", "decide.py", '"same_target" | "uncertain":', '"same_target":'),
    Mutation(
        "own_words",
        "decide.py",
        "if facts.tool.kind is Kind.DELETE:\n        return",
        "if facts.on_trial and facts.tool.kind is Kind.DELETE:\n        return",
    ),
    Mutation(
        "own_words",
        "decide.py",
        '"limits", "ceiling", "unreviewed", "trial", "refused_before"',
        '"limits", "ceiling", "unreviewed", "refused_before"',
    ),
    Mutation("own_words", "decide.py", "if facts.person_refused:", "if facts.person_refused and facts.refused:"),
    Mutation("own_words", "decide.py", "not doubted or grant_overrides", "doubted or grant_overrides"),
    Mutation("own_words", "exceptions.py", "not free & (tool.targets | tool.leaves)", "not free & tool.targets"),
    Mutation("own_words", "exceptions.py", "facts.today > exception.ends_on", "facts.today < exception.ends_on"),
    Mutation("own_words", "exceptions.py", "exception.uses_left <= 0", "exception.uses_left < 0"),
    Mutation("own_words", "exceptions.py", "not tool.foreign and bool(", "bool(tool.foreign or "),
    Mutation("own_words", "exceptions.py", "if not said:\n", "if said is None:\n"),
    Mutation("own_words", "exceptions.py", ".casefold()", ".casefold().strip('.')"),
    Mutation("own_words", "conditions.py", "FIXING = frozenset({", "FIXING = frozenset({Comparison.DOMAIN_IS, "),
    Mutation("own_words", "conditions.py", "min(limit, Decimal(0)) <= given <= limit", "given <= limit"),
    Mutation("own_words", "conditions.py", "if names_addresses(condition) and not all(", "if False and not all("),
)


def reds(root: str) -> dict[str, list[str]]:
    """Run the tables of the policy's tests against the mutated copies under `root`, a folder for each mutation."""
    return {folder.name: list(_failures(folder)) for folder in sorted(Path(root).iterdir())}


def _failures(folder: Path) -> Iterator[str]:
    for name in [name for name in sys.modules if name.split(".")[0] == "app" or name in JUDGES]:
        del sys.modules[name]
    importlib.invalidate_caches()
    sys.path.insert(0, str(folder))
    for judge in map(importlib.import_module, JUDGES):
        yield from (name for name, test in _tests(judge) if not _green(test))
    sys.path.remove(str(folder))


def _tests(judge: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each test of a module with each row of its tables; properties take too long here."""
    for name, test in vars(judge).items():
        if not name.startswith("test_") or hasattr(test, "hypothesis"):
            continue
        tables = [_rows(*mark.args) for mark in getattr(test, "pytestmark", [])]
        for rows in itertools.product(*tables):
            arguments = {key: value for row in rows for key, value in row.items()}
            yield name, functools.partial(test, **arguments)


def _rows(names: str | tuple[str, ...], values: list[object]) -> list[dict[str, object]]:
    if isinstance(names, str):
        return [{names: value} for value in values]
    return [dict(zip(names, value, strict=True)) for value in values]  # type: ignore[call-overload]


def _green(test: Callable[[], None]) -> bool:
    try:
        test()
    except Exception:  # a crash is as red as a failed assertion
        return False
    return True


if __name__ == "__main__":
    print(json.dumps(reds(sys.argv[1])))
