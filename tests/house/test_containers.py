"""What can be known about the compose file and the image without a container engine."""

import re
import tomllib
from typing import Any

import pytest
import yaml

from app.cli.main import COMMANDS
from app.settings import Settings
from tests.house.code import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = ("migrate", "web", "worker")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
INSTRUCTIONS = re.findall(r"^([A-Z]+) ((?:.*\\\n)*.*)", DOCKERFILE, flags=re.MULTILINE)


def test_database_then_tables_then_pages_and_work() -> None:
    assert SERVICES["db"]["image"] == "postgres:18"
    assert SERVICES["migrate"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    after = {"migrate": {"condition": "service_completed_successfully"}}
    assert SERVICES["web"]["depends_on"] == SERVICES["worker"]["depends_on"] == after


@pytest.mark.parametrize("name", OURS)
def test_each_service_is_a_command_that_there_is(name: str) -> None:
    program, command = SERVICES[name]["command"]
    assert program == "placet"
    assert command in {each.__name__.replace("_", "-") for each in COMMANDS}


@pytest.mark.parametrize("name", OURS)
def test_somebody_reaps_what_a_killed_program_leaves_behind(name: str) -> None:
    assert SERVICES[name]["init"] is True


@pytest.mark.parametrize("name", OURS)
def test_each_variable_is_a_setting(name: str) -> None:
    assert {each.lower() for each in SERVICES[name]["environment"]} <= set(Settings.model_fields)


@pytest.mark.parametrize("name", OURS)
def test_each_runs_with_nothing_it_does_not_need(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


def test_only_migrations_know_the_owner_of_the_tables() -> None:
    assert [name for name in OURS if "OWNER" in SERVICES[name]["environment"]["DATABASE_URL"]] == ["migrate"]


def test_health_is_asked_of_each() -> None:
    assert "healthcheck" in SERVICES["db"] and "healthcheck" in SERVICES["worker"]
    assert "healthcheck" not in SERVICES["web"] and "HEALTHCHECK" in dict(INSTRUCTIONS)  # the image's own


def test_the_image_is_built_apart_and_runs_as_nobody_special() -> None:
    stages = [index for index, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM"]
    assert len(stages) == 2
    last = dict(INSTRUCTIONS[stages[-1] :])
    assert last["USER"] == "10001" and last["CMD"] == '["placet", "web"]'


def test_the_image_has_all_that_it_copies() -> None:
    copied = [words.split()[:-1] for name, words in INSTRUCTIONS if name == "COPY" and "--from" not in words]
    sources = {source for each in copied for source in each}
    assert {"app", "migrations", "templates", "static"} <= sources
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert sources == allowed
    assert all((ROOT / source).exists() for source in sources)


def test_the_image_has_a_python_that_placet_supports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=3.11"
    assert [words.split()[0] for name, words in INSTRUCTIONS if name == "FROM"] == ["python:3.11-slim"] * 2
