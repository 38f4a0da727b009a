"""Who asks, for what, and in which transaction? A visit: one request of a signed-in person."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request

from app.errors import PlacetError
from app.identity.queries import Company, find_member
from app.identity.roles import Member
from app.identity.sessions import Found, find_session
from app.language.choose import asked_for
from app.language.speech import Speech
from app.web.cookies import SESSION, chosen_language, read_cookie
from app.web.house import House, house_of


class SignInFirst(PlacetError):
    """Please sign in."""

    status = 401


@dataclass(frozen=True)
class Visit:
    """One request of somebody who is signed in; everything it changes is in `session`, all or nothing."""

    request: Request
    session: AsyncSession
    house: House
    member: Member
    company: Company
    speech: Speech
    token: str
    signed_in: Found

    @property
    def path(self) -> str:
        """This page's own address, with its query."""
        query = self.request.url.query
        return self.request.url.path + (f"?{query}" if query else "")


@dataclass(frozen=True)
class Errand:
    """A request whose handler asks another service: nothing of the database is held while it waits."""

    _came: Visit  # its transaction is over

    @property
    def house(self) -> House:
        return self._came.house

    @property
    def member(self) -> Member:
        return self._came.member

    @property
    def speech(self) -> Speech:
        return self._came.speech

    @asynccontextmanager
    async def visit(self) -> AsyncIterator[Visit]:
        """A transaction of its own, for what has to be written or shown in the end."""
        async with self.house.database.unbound() as session:
            yield await arrive(self._came.request, session)


async def arrive(request: Request, session: AsyncSession) -> Visit:
    """Find out who it is, and bind the transaction to their company. Raises SignInFirst."""
    house = house_of(request)
    token = read_cookie(request, house.settings, SESSION)
    found = await find_session(session, token) if token else None
    if found is None:
        raise SignInFirst
    known = await find_member(session, found.user_id, browser_language=browser_language(request, house))
    if known is None:
        raise SignInFirst
    member, company = known
    return Visit(request, session, house, member, company, Speech(member.language, member.time_zone), token, found)


def browser_language(request: Request, house: House) -> str:
    """What somebody chose before signing in, else what their browser asks for."""
    return chosen_language(request, house.settings) or asked_for(request.headers.get("accept-language", ""))
