"""Each of a few variables replaces its part of the demo by a real one, and nothing else."""

from pathlib import Path

import pytest

from app.demo import parts
from app.demo.people import CAMILLE_MAIL
from app.demo.place import Place
from app.demo.ports import Ports
from app.settings import Settings

OURS = "postgresql://embedded/placet"
MODEL = {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "PLACET_MODEL"}
PORTS = Ports(web=8000, mail_in=2525, mailbox_page=8025, mailbox_smtp=1025, practice=8090, shop=8091)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    place.private.mkdir()
    (place.private / "shop.key").write_text("key of the shop")
    return place


def demo(place: Place, **set_by_a_person: str) -> parts.Demo:
    return parts.Demo(Settings(**set_by_a_person), place, PORTS, "s" * 48)


def started(asked: parts.Demo) -> list[str]:
    return [part.name for part in parts.surroundings(asked)]


def test_with_nothing_set_everything_is_ours(place: Place) -> None:
    plain = demo(place)
    assert started(plain) == ["shop", "mailbox", "practice model"]
    assert parts.environment_of(plain, OURS) == {
        "PLACET_ENV": "demo",
        "DATABASE_URL": OURS,
        "APP_SECRET": "s" * 48,
        "PORT": "8000",
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "PLACET_MAIL_IN": "127.0.0.1:2525",
        "MAIL_FROM": CAMILLE_MAIL,
        "SMTP_URL": "smtp://127.0.0.1:1025",
        "PLACET_MAILBOX": "http://127.0.0.1:8025",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:8090",
        "ANTHROPIC_API_KEY": "practice-model",
        "PLACET_MODEL": "practice-model",
        "PLACET_SHOP_URL": "http://127.0.0.1:8091",
        "PLACET_SHOP_KEY": "key of the shop",
    }


@pytest.mark.parametrize(
    ("variable", "value", "not_started", "left_alone"),
    [
        ("anthropic_api_key", "k", "practice model", {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "PLACET_MODEL"}),
        (
            "anthropic_base_url",
            "http://m",
            "practice model",
            {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "PLACET_MODEL"},
        ),
        ("smtp_url", "smtp://mail", "mailbox", {"SMTP_URL", "PLACET_MAILBOX"}),
        ("placet_shop_url", "http://shop", "shop", {"PLACET_SHOP_URL", "PLACET_SHOP_KEY"}),
    ],
)
def test_each_alone_replaces_its_part(
    place: Place, variable: str, value: str, not_started: str, left_alone: set[str]
) -> None:
    plain, real = demo(place), demo(place, **{variable: value})
    assert set(started(plain)) - set(started(real)) == {not_started}
    chosen = parts.environment_of(real, OURS)
    assert {**parts.environment_of(plain, OURS)} == {
        **chosen,
        **{name: parts.environment_of(plain, OURS)[name] for name in left_alone},
    }
    assert left_alone.isdisjoint(chosen)


def test_the_address_that_people_type_is_kept(place: Place) -> None:
    phone = demo(place, public_url="http://192.168.1.20:8000")
    assert parts.environment_of(phone, OURS)["PUBLIC_URL"] == "http://192.168.1.20:8000"


@pytest.mark.parametrize(
    ("host", "reached_at", "open_to_others"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000", False),
        ("0.0.0.0", "http://127.0.0.1:8000", True),
        ("192.168.1.20", "http://192.168.1.20:8000", True),
        ("::1", "http://[::1]:8000", False),
    ],
)
def test_the_pages_are_named_where_they_listen(place: Place, host: str, reached_at: str, open_to_others: bool) -> None:
    asked = demo(place, host=host)
    assert (asked.public_url, asked.open_to_others) == (reached_at, open_to_others)
