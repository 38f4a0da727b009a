"""`placet create-company`: how does a company get in, with the first person who may sign in?"""

from typing import Annotated

import typer


def create_company(
    name: Annotated[str, typer.Argument(help="The company's name.")],
    admin_email: Annotated[str, typer.Option(help="E-mail address of its first admin.")],
    admin_name: Annotated[str, typer.Option(help="Name of its first admin.")],
    language: Annotated[str, typer.Option(help="Language of its pages: en or fr.")] = "en",
    time_zone: Annotated[str, typer.Option(help="Its time zone.")] = "Europe/Paris",
) -> None:
    """Create a company and its first admin. The password is asked for, or read from standard input."""
    from app.cli.owner import as_owner, ask_password
    from app.identity.create import Person
    from app.identity.create import create_company as create
    from app.ids import new_id

    admin = Person(admin_email, admin_name, ask_password(admin_email))
    as_owner(
        lambda session: create(session, name, language=language, time_zone=time_zone, admin=admin), tenant_id=new_id()
    )
    typer.echo(f"{name} is here; {admin_email} can sign in.")
