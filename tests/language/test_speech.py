"""Dates, amounts and lengths, as people of a language and a zone say them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from app.language.choose import asked_for
from app.language.speech import Speech

NOW = datetime(2026, 12, 2, 23, 30, tzinfo=UTC)  # half past midnight in Paris, on the 3rd


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr", "fr"),
        ("fr-CA, en;q=0.8", "fr"),
        ("en;q=0.3, fr;q=0.7", "fr"),
        ("de, it", "en"),
        ("fr;q=0, en;q=0.1", "en"),
        ("", "en"),
        ("fr;q=nonsense", "en"),
    ],
)
def test_the_language_that_a_browser_likes_best(header, language):
    assert asked_for(header) == language


def test_the_day_is_that_of_the_reader_s_clock():
    evening = NOW - timedelta(hours=2)
    assert Speech("en", "Europe/Paris").when(evening, now=NOW) == "yesterday 22:30"
    assert Speech("en", "America/Montreal").when(evening, now=NOW) == "today 16:30"


def test_an_unknown_zone_is_told_in_the_usual_one():
    assert Speech("en", "Mars/Base").when(NOW, now=NOW) == "today 00:30"


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(seconds=-5), "1 min"),
        (timedelta(minutes=54, seconds=59), "54 min"),
        (timedelta(hours=43, minutes=59), "44 hours"),
        (timedelta(hours=67), "2 days"),
        (timedelta(hours=71, minutes=59), "3 days"),  # just asked: it is what was promised
    ],
)
def test_what_is_left_is_rounded_down_but_for_what_is_nearly_whole(left, said):
    assert Speech("en").left(NOW + left, now=NOW) == said


def test_amounts_are_written_as_the_language_does():
    assert Speech("en").money(Decimal("1224.9"), "EUR") == "€1,224.90"
    assert Speech("fr").money(Decimal("1224.9"), "EUR") == "1\u202f224,90\u00a0€"


def test_a_cost_below_a_cent_still_says_something():
    assert Speech("en").cost(Decimal("0.0042"), "USD") == "$0.0042"
    assert Speech("en").cost(Decimal("1.5"), "USD") == "$1.50"
    assert Speech("en").cost(Decimal(0), "USD") == "$0.00"


@pytest.mark.parametrize(("seconds", "said"), [(0.34, "0.3 s"), (34, "34 s"), (61, "1 min"), (7200, "2 hours")])
def test_how_long_something_took(seconds, said):
    assert Speech("en").duration(seconds) == said
