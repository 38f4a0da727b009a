"""What the README points at is there, and what it says to type is one line."""

import re

from tests.house.code import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_path_of_the_where_is_table_exists() -> None:
    table = README[README.index("| Where is …? |") :].split("\n\n")[0]
    paths = re.findall(r"`([^`]+)`", table)
    assert len(paths) >= 10
    assert [path for path in paths if not (ROOT / path).is_file()] == []


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links and [link for link in links if not (ROOT / link).is_file()] == []


def test_there_are_two_commands_of_one_line_each() -> None:
    commands = re.findall(r"^```sh\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    assert [command.count("\n") for command in commands] == [1, 1]
    assert commands[0].rstrip().endswith("placet demo") and commands[1].rstrip().endswith("pytest")


def test_the_tree_names_every_room() -> None:
    tree = README[README.index("```\napp/") :]
    rooms = sorted(path.name for path in (ROOT / "app").iterdir() if path.is_dir() and path.name != "__pycache__")
    assert [room for room in rooms if f"{room}/" not in tree] == []


def test_the_top_level_is_what_it_was_meant_to_be() -> None:
    meant = {"app", "migrations", "templates", "static", "tests", "pyproject.toml", "docker-compose.yml", "Dockerfile"}
    meant |= {"README.md", "LICENSE", "requirements.lock", "requirements-dev.lock"}
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    made_by_tools = {"build", "artefacts", "placet.egg-info"}
    assert found - made_by_tools == meant
