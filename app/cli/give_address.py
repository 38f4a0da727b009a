"""`placet give-address`: how does customers' mail find its employee?"""

from typing import Annotated

import typer


def give_address(
    address: Annotated[str, typer.Argument(help="The e-mail address that customers write to.")],
    employee: Annotated[str, typer.Option(help="Name of the employee whose work that mail is.")],
    company_of: Annotated[str, typer.Option(help="E-mail address of somebody of its company.")],
) -> None:
    """Make mail to an address an employee's work. Your mail server hands it on to PLACET_MAIL_IN of a worker."""
    from app.cli.owner import as_owner
    from app.employees.mail_address import give_address as give

    kept = as_owner(lambda session: give(session, address, employee=employee, company_of=company_of))
    typer.echo(f"Mail to {kept} is the work of {employee} now.")
