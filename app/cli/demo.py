"""`placet demo`: how does a newcomer see all of Placet at work on one machine?"""

import typer

from app.settings import read_settings


def demo() -> None:
    """Start everything on this machine, with a demo company. Ctrl-C stops it; the data stays for the next start.

    DATABASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, SMTP_URL and APP_SECRET each replace their part by a real one.
    """
    # Imported here, as in each command: `placet --help` need not load what only one of them runs.
    from app.demo.run import run

    raise typer.Exit(run(read_settings()))
