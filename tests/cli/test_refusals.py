"""What a person can put right is told in one line, with exit code 2 and without a traceback."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.main import COMMANDS, app

SECRET = "s" * 48
NOWHERE = "postgresql://placet_owner:x@127.0.0.1:1/placet"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing set but what a test sets."""
    for name in ("DATABASE_URL", "APP_SECRET", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "SMTP_URL", "PLACET_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLACET_DATA", str(tmp_path / "data"))


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def refusal(*command: str, **environment: str) -> str:
    """The one line that a command says when it does not start."""
    result = CliRunner().invoke(app, command, env=environment)
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("placet: ") and result.stdout == ""
    return line


@pytest.mark.parametrize(
    ("command", "environment", "says"),
    [
        ("web", {}, "APP_SECRET is missing"),
        ("web", {"APP_SECRET": "short"}, "APP_SECRET is too short"),
        ("worker", {"APP_SECRET": SECRET}, "DATABASE_URL is missing"),
        ("migrate", {"APP_SECRET": SECRET, "DATABASE_URL": "mysql"}, "DATABASE_URL is not an address"),
        ("migrate", {"APP_SECRET": SECRET, "DATABASE_URL": NOWHERE}, "The database is out of reach"),
        ("web", {"APP_SECRET": SECRET, "DATABASE_URL": NOWHERE}, "The database is out of reach"),
        ("worker", {"APP_SECRET": SECRET, "DATABASE_URL": NOWHERE}, "ANTHROPIC_API_KEY is missing"),
        ("web", {"PORT": "eighty"}, "PORT: "),
        ("web", {"PORT": "70000"}, "PORT: "),
        ("demo", {"APP_SECRET": "short"}, "APP_SECRET is too short"),
        ("demo", {"PLACET_ENV": "test"}, "PLACET_ENV: "),
    ],
)
def test_a_bad_setting_is_named(command: str, environment: dict[str, str], says: str) -> None:
    assert says in refusal(command, **environment)


def test_a_model_without_a_price_is_refused() -> None:
    known = {"APP_SECRET": SECRET, "DATABASE_URL": NOWHERE, "ANTHROPIC_API_KEY": "k"}
    assert "not in the price table" in refusal("worker", **known, PLACET_MODEL="unheard-of")


def test_a_taken_port_is_named_with_a_way_out(taken: int) -> None:
    assert f"Port {taken} is taken" in refusal("demo", PORT=str(taken))
    assert f"Port {taken} is taken" in refusal("practice-model", "--port", str(taken))


def test_a_folder_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Cannot write in" in refusal("demo", PLACET_DATA=str(tmp_path / "file" / "data"))


@pytest.mark.parametrize("name", [each.__name__.replace("_", "-") for each in COMMANDS])
def test_every_command_says_what_it_does(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0 and len(result.stdout.split()) > 10
