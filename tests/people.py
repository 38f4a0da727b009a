"""The cast: nadia manages Camille, omar is admin, lea is a member; rita is admin of another company."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from uuid import UUID, uuid4

import httpx2

from app.database.transaction import Database
from app.employees.hire import hire
from app.identity.models import Membership, Role, Tenant, User
from app.identity.passwords import hash_password
from app.identity.roles import Member
from app.identity.sessions import open_session
from app.ids import new_id

PASSWORD = "a password of the tests"
COOKIE = "placet"


@dataclass(frozen=True)
class Someone:
    """A person who can sign in."""

    user_id: UUID
    tenant_id: UUID
    name: str
    email: str
    member: Member


@dataclass(frozen=True)
class Cast:
    """Two companies and who is in them."""

    nadia: Someone
    omar: Someone
    lea: Someone
    rita: Someone
    company: UUID
    camille: UUID
    ritas_company: UUID
    ritas_employee: UUID


Company = tuple[UUID, Someone, Someone, Someone, UUID]  # its id, its admin, manager and member, its employee


async def make_cast(owner: Database, other: Company | None = None) -> Cast:
    """A fresh company, and another beside it."""
    company, omar, nadia, lea, camille = await _company(owner, "Maison Colibri", ("Omar", "Nadia", "Léa"), "Camille")
    ritas, rita, _, _, robin = other or await make_other(owner)
    return Cast(nadia, omar, lea, rita, company, camille, ritas, robin)


async def make_other(owner: Database) -> Company:
    """Rita's company."""
    return await _company(owner, "Rita & Co", ("Rita", "Max", "Ugo"), "Robin")


async def _company(owner: Database, name: str, names: tuple[str, str, str], employee: str) -> Company:
    tenant_id = new_id()
    async with owner.tenant(tenant_id) as session:
        session.add(Tenant(id=tenant_id, name=name, language="en", time_zone="Europe/Paris"))
        await session.flush()  # people refer to it
        ids = [
            User(id=new_id(), email=f"{one}.{uuid4().hex[:8]}@example.org".lower(), name=one, password_hash=_kept())
            for one in names
        ]
        session.add_all(ids)
        await session.flush()  # memberships refer to them
        for user, role in zip(ids, (Role.ADMIN, Role.MANAGER, Role.MEMBER), strict=True):
            session.add(Membership(tenant_id=tenant_id, id=new_id(), user_id=user.id, role=role))
        await session.flush()  # the employee's manager refers to them
        hired = await hire(
            session, "customer_service", name=employee, by=ids[0].id, managers=[ids[1].id], language="en"
        )
    managed = (frozenset[UUID](), frozenset({hired.id}), frozenset[UUID]())
    roles = (Role.ADMIN, Role.MANAGER, Role.MEMBER)
    admin, manager, member = (
        Someone(u.id, tenant_id, u.name, u.email, Member(tenant_id, u.id, u.name, role, manages))
        for u, role, manages in zip(ids, roles, managed, strict=True)
    )
    return tenant_id, admin, manager, member, hired.id


@cache
def _kept() -> str:
    return hash_password(PASSWORD)


@asynccontextmanager
async def open_browser(site: str, web: Database, person: Someone | None) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser that says where its requests come from, as browsers do, and follows nothing by itself."""
    headers = {"Origin": site, "Accept-Language": "en"}
    async with httpx2.AsyncClient(base_url=site, headers=headers, timeout=20, verify=False) as client:
        if person is not None:
            async with web.tenant(person.tenant_id) as session:
                client.cookies.set(COOKIE, await open_session(session, person.user_id), domain="127.0.0.1")
        yield client
