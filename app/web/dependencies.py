"""What does a route need before its handler runs? A permission, and for a POST the proof that a page of ours sent it.

`scope="function"`: the transaction commits before the answer leaves, so that nobody reads "approved" and then the
commit fails (RELIABILITY B13).
"""

from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Form
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request

from app.identity.roles import Permission
from app.web.cross_site import require_own_origin, require_token
from app.web.house import house_of
from app.web.visit import Errand, Visit, arrive

READS = ("GET", "HEAD")


class Needs:
    """The dependency of a route that asks for a permission; the route table's test reads it."""

    def __init__(self, permission: Permission) -> None:
        self.permission = permission

    async def admit(self, request: Request, session: AsyncSession) -> Visit:
        """Nothing is done for who may not, or who did not mean it."""
        settings = house_of(request).settings
        visit = await arrive(request, session)
        if request.method not in READS:
            require_own_origin(request, settings.public_url)
            require_token(settings.app_secret, visit.token, (await request.form()).get("csrf"))
        visit.member.require(self.permission)
        return visit


class NeedsAround(Needs):
    """One transaction around the handler."""

    async def __call__(self, request: Request) -> AsyncIterator[Visit]:
        """The visit, with its transaction open."""
        async with house_of(request).database.unbound() as session:
            yield await self.admit(request, session)


class NeedsBefore(Needs):
    """One transaction before the handler: what asks another service and waits holds no lock and no connection."""

    async def __call__(self, request: Request) -> Errand:
        """Who asks, with no transaction open."""
        async with house_of(request).database.unbound() as session:
            return Errand(await self.admit(request, session))


@cache
def _around(permission: Permission) -> NeedsAround:
    return NeedsAround(permission)


def needs(permission: Permission) -> Callable[..., AsyncIterator[Visit]]:
    """For `Annotated[Visit, needs(…)]`."""
    dependency: Callable[..., AsyncIterator[Visit]] = Depends(_around(permission), scope="function")
    return dependency


def needs_before(permission: Permission) -> Callable[..., Errand]:
    """For `Annotated[Errand, needs_before(…)]`."""
    dependency: Callable[..., Errand] = Depends(NeedsBefore(permission), scope="function")
    return dependency


SeesInbox = Annotated[Visit, needs(Permission.SEE_INBOX)]
Decides = Annotated[Visit, needs(Permission.DECIDE)]
SeesEmployees = Annotated[Visit, needs(Permission.SEE_EMPLOYEES)]
Talks = Annotated[Visit, needs(Permission.TALK)]
Pauses = Annotated[Visit, needs(Permission.PAUSE)]
ChangesJobSheet = Annotated[Visit, needs(Permission.CHANGE_JOB_SHEET)]
SeesJournal = Annotated[Visit, needs(Permission.SEE_JOURNAL)]
Services = Annotated[Visit, needs(Permission.TOOL_SERVERS)]
AsksServices = Annotated[Errand, needs_before(Permission.TOOL_SERVERS)]
Connects = Annotated[Visit, needs(Permission.COMPANY_SETTINGS)]
TriesConnections = Annotated[Errand, needs_before(Permission.COMPANY_SETTINGS)]
Hires = Annotated[Visit, needs(Permission.HIRE)]
OwnSettings = Annotated[Visit, needs(Permission.OWN_SETTINGS)]

Operation = Annotated[UUID, Form()]  # the id that every form carries: a retry finds its own result (RELIABILITY B5)
