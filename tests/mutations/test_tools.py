"""Does each bug planted in guard, masking, binding, classifier, quarantine and programs turn its tests red?"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutations.tools import PLANTED

HOUSE = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def reds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """Which bugs were noticed, planted one after another into a copy, all in one other process."""
    copy = tmp_path_factory.mktemp("mutated")
    for name in ("app", "tests"):
        shutil.copytree(HOUSE / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOUSE / "pyproject.toml", copy)
    command = [sys.executable, "-B", "-m", "tests.mutations.tools", str(copy)]
    around = {**os.environ, "PYTHONPATH": str(copy)}
    ended = subprocess.run(command, cwd=copy, env=around, capture_output=True, text=True, timeout=240)
    assert ended.returncode == 0, ended.stdout[-1500:] + ended.stderr[-1500:]
    found: dict[str, bool] = json.loads(ended.stdout.splitlines()[-1])
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("place", range(len(PLANTED)), ids=lambda place: f"{PLANTED[place].what}-{place}")
def test_a_planted_bug_turns_its_tests_red(reds: dict[str, bool], place: int) -> None:
    assert reds[str(place)]


@pytest.mark.thorough
def test_without_a_bug_they_are_green(reds: dict[str, bool]) -> None:
    assert reds["sound"] is False


def test_each_of_the_six_has_its_bugs() -> None:
    assert {bug.what for bug in PLANTED} == {"guard", "masking", "binding", "classifier", "quarantine", "programs"}
