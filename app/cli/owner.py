"""How does an errand of the command line change the database? In one transaction, as the owner of the tables."""

import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.production import configured
from app.database.at_start import require_ready
from app.database.engine import DatabaseRole, role_url
from app.database.transaction import Database

Made = TypeVar("Made")


def as_owner(errand: Callable[[AsyncSession], Awaitable[Made]], *, tenant_id: UUID | None = None) -> Made:
    """Run the errand; all of it is kept, or nothing."""
    settings = configured()
    require_ready(settings.database_url, settings.app_secret, DatabaseRole.OWNER)
    url = role_url(settings.database_url, DatabaseRole.OWNER, settings.app_secret)

    async def carry_out() -> Made:
        database = Database(url, settings.app_secret, pool_size=1)
        try:
            async with database.unbound() if tenant_id is None else database.tenant(tenant_id) as session:
                return await errand(session)
        finally:
            await database.close()

    return asyncio.run(carry_out())


def ask_password(whose: str) -> str:
    """The password as typed, unseen, or the first line of standard input where nobody sits; never an argument,
    which every user of the machine can read in its list of processes.
    """
    if sys.stdin.isatty():
        return getpass.getpass(f"Password of {whose} (at least 12 characters): ")
    return sys.stdin.readline().rstrip("\n")
