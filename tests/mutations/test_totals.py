"""Is every bug that totals.py plants still plantable? (Whether it is noticed takes minutes: see there.)"""

from pathlib import Path

import pytest

from tests.mutations.totals import HOUSE, PLANTED


@pytest.mark.parametrize("place", range(len(PLANTED)))
def test_the_text_is_there_once_and_its_judge_exists(place: int) -> None:
    planted = PLANTED[place]
    text = (HOUSE / "app" / planted.file).read_text(encoding="utf-8")
    assert text.count(planted.old) == 1 and planted.old != planted.new
    assert Path(HOUSE / planted.judge).exists()
