"""`placet settings`: which environment variables are there? The README's table is this command's output."""

import typer
from pydantic_core import PydanticUndefined

from app.settings import Settings


def settings() -> None:
    """Print the table of settings, as it stands in the README."""
    typer.echo(table())


def table() -> str:
    """All settings in Markdown: name, default, what it does."""
    rows = [
        f"| `{name.upper()}` | {_shown(field.default)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    ]
    return "\n".join(["| variable | default | what it does |", "| --- | --- | --- |", *rows])


def _shown(default: object) -> str:
    return "" if default in ("", None, PydanticUndefined) else f"`{default}`"
