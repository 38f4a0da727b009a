"""Does each bug planted into the policy turn its tests red, and does the policy without one leave them green?"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutations.policy import MUTATIONS

HOUSE = Path(__file__).parents[2]
SOUND = "sound"


@pytest.fixture(scope="module")
def reds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The tests that each mutated copy fails, all in one other process."""
    root = tmp_path_factory.mktemp("mutated")
    _copy(root / SOUND)
    for place, mutation in enumerate(MUTATIONS):
        file = _copy(root / str(place)) / mutation.file
        text = file.read_text(encoding="utf-8")
        assert text.count(mutation.old) == 1, f"{mutation.file} has changed, or has it twice: {mutation.old!r}"
        file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    command = [sys.executable, "-B", "-m", "tests.mutations.policy", str(root)]
    ended = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, list[str]] = json.loads(ended.stdout.splitlines()[-1])
    return found


def _copy(folder: Path) -> Path:
    """The policy in a package of its own: it imports nothing else of ours."""
    shutil.copytree(HOUSE / "app" / "policy", folder / "app" / "policy", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "app" / "__init__.py").touch()
    return folder / "app" / "policy"


@pytest.mark.parametrize("place", range(len(MUTATIONS)), ids=lambda place: f"{MUTATIONS[place].rule}-{place}")
def test_a_planted_bug_turns_the_tests_red(reds: dict[str, list[str]], place: int) -> None:
    assert reds[str(place)]


def test_without_a_bug_they_are_green(reds: dict[str, list[str]]) -> None:
    assert reds[SOUND] == []


def test_each_rule_has_a_planted_bug() -> None:
    from app.policy.decide import RULE_NAMES

    assert {mutation.rule for mutation in MUTATIONS} == set(RULE_NAMES)
