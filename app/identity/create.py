"""How do a company and its first people come to be? By the platform's own commands, as the owner of the database."""

from dataclasses import dataclass
from uuid import UUID
from zoneinfo import available_timezones

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.database.transaction import tenant_of
from app.errors import PlacetError
from app.identity.address import require_address
from app.identity.models import Membership, PlatformRole, Role, Tenant, User
from app.identity.passwords import hash_password

LANGUAGES = ("en", "fr")


class AlreadyKnown(PlacetError):
    """Somebody with this e-mail address is here already."""

    status = 409


class LanguageUnknown(PlacetError):
    """Placet speaks English (en) and French (fr)."""

    status = 422


class TimeZoneUnknown(PlacetError):
    """That time zone is not known; write it like Europe/Paris."""

    status = 422


@dataclass(frozen=True)
class Person:
    """Somebody who is to sign in."""

    email: str
    name: str
    password: str


async def create_company(session: AsyncSession, name: str, *, language: str, time_zone: str, admin: Person) -> UUID:
    """Make the company that `session` is bound to, with its first admin, whose id comes back."""
    if language not in LANGUAGES:
        raise LanguageUnknown
    if time_zone not in available_timezones():
        raise TimeZoneUnknown
    session.add(Tenant(id=tenant_of(session), name=name.strip(), language=language, time_zone=time_zone))
    await session.flush()  # the admin's row refers to it
    admin_id = await add_person(session, admin, Role.ADMIN)
    await record(session, Event.COMPANY_CREATED, about=tenant_of(session))
    return admin_id


async def add_person(session: AsyncSession, person: Person, role: Role) -> UUID:
    """Make somebody a member of the company that `session` is bound to."""
    user_id = await _create_user(session, person, None)
    session.add(Membership(tenant_id=tenant_of(session), user_id=user_id, role=role))
    await session.flush()  # so that rights and references hold for whatever comes next in this transaction
    return user_id


async def create_operator(session: AsyncSession, person: Person, role: PlatformRole) -> UUID:
    """Make somebody who runs the platform; that is no membership of any company."""
    return await _create_user(session, person, role)


async def _create_user(session: AsyncSession, person: Person, role: PlatformRole | None) -> UUID:
    email = require_address(person.email)
    if await session.scalar(select(User.id).where(func.lower(User.email) == email.lower())):
        raise AlreadyKnown
    user = User(email=email, name=person.name.strip(), password_hash=hash_password(person.password), platform_role=role)
    session.add(user)
    await session.flush()  # its id is asked for
    return user.id
