"""`placet migrate`: how does a database get this version's tables?"""

import typer

from app.cli.production import configured


def migrate() -> None:
    """Make or renew the tables. DATABASE_URL names their owner; run it before web and worker of a new version."""
    from app.database.migrate import migrate as bring_up_to_date
    from app.database.migrate import newest_version

    settings = configured()
    bring_up_to_date(settings.database_url, settings.app_secret)
    typer.echo(f"The tables are at version {newest_version()}.")
