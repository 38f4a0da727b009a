"""Every setting stands in the README, with what the code says about it."""

import ast

from app.cli.settings import table
from app.settings import Settings
from tests.house.code import ROOT, files, name_of, parsed

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_is_what_the_code_says() -> None:
    written = README.split("test_settings_documented.py -->\n")[1].split("\n<!-- settings end")[0]
    assert written == table(), "put the output of `placet settings` between the two marks of the README"


def test_every_setting_is_described_in_a_sentence() -> None:
    assert all((field.description or "").endswith((".", "…")) for field in Settings.model_fields.values())


def test_every_setting_is_used() -> None:
    used = {
        node.attr
        for path in files("app")
        if name_of(path) != "app/settings.py"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute)
    }
    derived = {"placet_env", "public_url"}  # read through Settings.demo and Settings.secure too
    assert set(Settings.model_fields) - used - derived == set()
