"""What does a route need before its handler runs? A permission, and for a POST the proof that a page of ours sent it.

`scope="function"`: the transaction commits before the answer leaves, so that nobody reads "approved" and then the
commit fails (RELIABILITY B13).
"""

from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Form
from starlette.requests import Request

from app.identity.roles import Permission
from app.web.cross_site import require_own_origin, require_token
from app.web.house import house_of
from app.web.visit import Visit, arrive

READS = ("GET", "HEAD")


class Needs:
    """The dependency of a route that asks for a permission; the route table's test reads it."""

    def __init__(self, permission: Permission) -> None:
        self.permission = permission

    async def __call__(self, request: Request) -> AsyncIterator[Visit]:
        """One transaction around the handler; nothing is done for who may not, or who did not mean it."""
        house = house_of(request)
        async with house.database.unbound() as session:
            visit = await arrive(request, session)
            if request.method not in READS:
                require_own_origin(request, house.settings.public_url)
                require_token(house.settings.app_secret, visit.token, (await request.form()).get("csrf"))
            visit.member.require(self.permission)
            yield visit


@cache
def _needs(permission: Permission) -> Needs:
    return Needs(permission)


def needs(permission: Permission) -> Callable[..., AsyncIterator[Visit]]:
    """For `Annotated[Visit, needs(…)]`."""
    dependency: Callable[..., AsyncIterator[Visit]] = Depends(_needs(permission), scope="function")
    return dependency


SeesInbox = Annotated[Visit, needs(Permission.SEE_INBOX)]
Decides = Annotated[Visit, needs(Permission.DECIDE)]
SeesEmployees = Annotated[Visit, needs(Permission.SEE_EMPLOYEES)]
Talks = Annotated[Visit, needs(Permission.TALK)]
Pauses = Annotated[Visit, needs(Permission.PAUSE)]
SeesJournal = Annotated[Visit, needs(Permission.SEE_JOURNAL)]
OwnSettings = Annotated[Visit, needs(Permission.OWN_SETTINGS)]

Operation = Annotated[UUID, Form()]  # the id that every form carries: a retry finds its own result (RELIABILITY B5)
