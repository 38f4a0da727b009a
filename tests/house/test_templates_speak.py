"""No template has a word of its own: each goes through the catalogue, in the reader's language."""

import re
from pathlib import Path

import pytest

from tests.house.code import files, name_of

SILENT = re.compile(
    r"\{#.*?#\}|\{%\s*block (?:live|shape)\s*%\}.*?\{%\s*endblock\s*%\}"  # a topic and a class, not words
    r"|\{% macro described\(.*?endmacro %\}"  # attributes of a field
    r"|\{%-?\s*trans\b.*?endtrans\s*-?%\}|\{%.*?%\}|\{\{.*?\}\}|<!--.*?-->|&\w+;|<kbd>.*?</kbd>",
    re.DOTALL,
)
TAG = re.compile(r"<[^>]*>", re.DOTALL)
SPOKEN = re.compile(r"\b(?:alt|aria-label|placeholder|title)=\"([^\"]*)\"")
PAGES = [path for path in files("templates", "**/*.html") if path.parent.name != "styleguide"]
OUR_NAME = "Placet"


def words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", text) if word != OUR_NAME]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_word_goes_through_the_catalogue(page: Path) -> None:
    own = SILENT.sub(" ", page.read_text(encoding="utf-8"))
    assert words(TAG.sub(" ", own)) == []
    assert [text for text in SPOKEN.findall(own) if words(text)] == []
