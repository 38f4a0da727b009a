"""Which commands are there? `placet demo`, and one for each process and errand of a real installation."""

from collections.abc import Callable
from functools import wraps

import typer

from app.cli.create_company import create_company
from app.cli.create_operator import create_operator
from app.cli.demo import demo
from app.cli.give_address import give_address
from app.cli.migrate import migrate
from app.cli.practice_model import practice_model
from app.cli.settings import settings
from app.cli.web import web
from app.cli.worker import worker
from app.errors import BadConfiguration, PlacetError

COMMANDS: tuple[Callable[..., None], ...] = (
    demo,
    web,
    worker,
    migrate,
    create_company,
    create_operator,
    give_address,
    practice_model,
    settings,
)
REFUSED = 2  # exit code where the start is refused


def in_one_line(command: Callable[..., None]) -> Callable[..., None]:
    """What a person can put right is told in one line, with exit code 2; a traceback is for bugs."""

    @wraps(command)  # Typer reads the options from the signature
    def run(**options: object) -> None:
        try:
            command(**options)
        except (BadConfiguration, PlacetError) as refused:
            typer.echo(f"placet: {refused}", err=True)
            raise typer.Exit(REFUSED) from None

    return run


app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def placet() -> None:
    """Placet: AI employees that ask before they act. Settings are environment variables (see `placet settings`)."""


for command in COMMANDS:
    app.command()(in_one_line(command))

if __name__ == "__main__":
    app()
