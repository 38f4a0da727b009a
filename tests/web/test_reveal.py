"""What hides in a text is made visible, and words that are only French are left alone."""

import pytest

from app.web.reveal import reveal, reveal_address


def marked(text: str) -> list[str]:
    return [piece.text for piece in reveal_address(text) if piece.mark]


@pytest.mark.parametrize(
    ("line", "letters"),
    [
        ("Envoyer un e-mail à emma@example.com", []),
        ("Hélène Roux <helene@example.net>", []),
        ("Envoyer un e-mail à hélène@example.net", ["é", "è"]),
        ("Send a mail to emma@ex\u0430mple.com", ["\u0430"]),
        ("P\u0430ypal <help@example.com>", ["\u0430"]),
        ("emma@example.com\u200b", ["\u200b"]),
        ("emma\u00a0b\u0440@example.com", ["\u00a0", "\u0440"]),
    ],
)
def test_in_an_address_only_plain_latin_goes_unmarked(line: str, letters: list[str]) -> None:
    assert marked(line) == letters


def test_nothing_of_a_text_is_lost_on_the_way() -> None:
    line = "Réponse à emma@ex\u0430mple.com\u202e, s’il vous plaît"
    assert "".join(piece.text for piece in reveal_address(line)) == line == "".join(p.text for p in reveal(line))


def test_a_long_line_is_shown_at_once() -> None:
    assert len(reveal_address("é" * 5_000 + "@" + "\u0430" * 5_000)) == 3
