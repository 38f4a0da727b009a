"""Does each bug planted into the core turn the test that guards it red?

Two of them in the thorough run, all in the nightly one.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutations.promises import BUGS, Bug

HOUSE = Path(__file__).parents[2]
COPIED = ("app", "tests", "migrations", "templates", "static")
RED = 1  # pytest's exit code for failed tests; others mean that nothing was judged
TRIED = BUGS if os.environ.get("PLACET_NIGHTLY") == "1" else BUGS[:2]


def copy_house(to: Path) -> None:
    """All that the tests of the core need."""
    for name in COPIED:
        shutil.copytree(HOUSE / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOUSE / "pyproject.toml", to)


def judged(copy: Path, *judges: str) -> subprocess.CompletedProcess[str]:
    """What pytest says of these tests in a copy of the house."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *judges]
    around = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}  # the server is shared
    around["PYTHONPATH"] = str(copy)
    return subprocess.run(command, cwd=copy, env=around, capture_output=True, text=True, timeout=240)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.test)
def test_each_bug_still_has_its_place(bug: Bug) -> None:
    assert (HOUSE / "app" / bug.file).read_text(encoding="utf-8").count(bug.old) == 1


@pytest.mark.thorough
@pytest.mark.usefixtures("postgres")
@pytest.mark.parametrize("bug", TRIED, ids=lambda bug: bug.test)
def test_a_planted_bug_turns_its_test_red(bug: Bug, tmp_path: Path) -> None:
    copy_house(tmp_path)
    file = tmp_path / "app" / bug.file
    file.write_text(file.read_text(encoding="utf-8").replace(bug.old, bug.new), encoding="utf-8")
    ended = judged(tmp_path, bug.judge)
    assert ended.returncode == RED, ended.stdout[-1500:] + ended.stderr[-1500:]


@pytest.mark.thorough
@pytest.mark.usefixtures("postgres")
def test_without_a_bug_they_are_green(tmp_path: Path) -> None:
    copy_house(tmp_path)
    ended = judged(tmp_path, *(bug.judge for bug in TRIED))
    assert ended.returncode == 0, ended.stdout[-1500:] + ended.stderr[-1500:]


def test_each_promise_of_the_core_has_its_bug() -> None:
    assert {bug.promise for bug in BUGS} == {"1", "2", "3", "4", "5", "6", "7", "12", "13"}
