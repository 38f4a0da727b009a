"""What is in the demo at its first start? A small shop in Lyon, three people, and Camille, who answers its mail."""

import asyncio
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.engine import DatabaseRole, role_url
from app.database.migrate import migrate
from app.database.transaction import Database
from app.demo.people import CAMILLE, CAMILLE_MAIL, LEA, NADIA, OMAR, DemoPerson
from app.employees.hire import hire
from app.employees.models import MailAddress
from app.identity.create import Person, add_person, create_company
from app.identity.models import Role, Tenant

COMPANY = UUID("0193b6a0-1c01-7b00-8000-636f6c696272")  # a fixed one: a second start finds the same company


async def prepare(database_url: str, app_secret: str, language: str) -> datetime:
    """Tables of this version, and the demo company in them. When it opened comes back."""
    await asyncio.to_thread(migrate, database_url, app_secret)
    return await seed(database_url, app_secret, language)


async def seed(database_url: str, app_secret: str, language: str) -> datetime:
    """Make the demo company if it is not there; all of it or nothing. When it opened comes back."""
    database = Database(role_url(database_url, DatabaseRole.OWNER, app_secret), app_secret, pool_size=1)
    try:
        async with database.tenant(COMPANY) as session:
            if (opened := await _opened_at(session)) is None:
                await _open(session, language)
                opened = await _opened_at(session)
        assert opened is not None  # it was made in this transaction
        return opened
    finally:
        await database.close()


async def _opened_at(session: AsyncSession) -> datetime | None:
    return await session.scalar(select(Tenant.made_at).where(Tenant.id == COMPANY))


async def _open(session: AsyncSession, language: str) -> None:
    omar = await create_company(
        session, "Maison Colibri", language=language, time_zone="Europe/Paris", admin=_person(OMAR)
    )
    nadia = await add_person(session, _person(NADIA), Role(NADIA.role))
    await add_person(session, _person(LEA), Role(LEA.role))
    camille = await hire(session, "customer_service", name=CAMILLE, by=omar, managers=[nadia], language=language)
    session.add(MailAddress(tenant_id=COMPANY, address=CAMILLE_MAIL, agent_id=camille.id))


def _person(known: DemoPerson) -> Person:
    return Person(known.email, known.name, known.password)
