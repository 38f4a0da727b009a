"""`placet create-operator`: who runs the platform? Somebody who sees figures, and no company's content."""

from typing import Annotated, Literal

import typer


def create_operator(
    email: Annotated[str, typer.Argument(help="E-mail address.")],
    name: Annotated[str, typer.Option(help="Name.")],
    role: Annotated[
        Literal["operator", "support"], typer.Option(help="operator: sees metadata; support: may open a transcript.")
    ] = "operator",
) -> None:
    """Create somebody who runs the platform. The password is asked for, or read from standard input."""
    from app.cli.owner import as_owner, ask_password
    from app.identity.create import Person
    from app.identity.create import create_operator as create
    from app.identity.models import PlatformRole

    person = Person(email, name, ask_password(email))
    as_owner(lambda session: create(session, person, PlatformRole(role)))
    typer.echo(f"{email} is here, as {role}.")
