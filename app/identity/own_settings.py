"""How does a person say which language and time zone they want?"""

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import PlacetError
from app.identity.models import User
from app.identity.roles import Member, Permission
from app.language.choose import is_ours
from app.language.speech import is_zone


class NotAChoice(PlacetError):
    """That is not one of the choices."""

    status = 422


async def choose_language(session: AsyncSession, language: str, *, by: Member) -> None:
    """Speak to this person in `language` from now on."""
    by.require(Permission.OWN_SETTINGS)
    if not is_ours(language):
        raise NotAChoice
    await session.execute(update(User).where(User.id == by.user_id).values(language=language))


async def choose_zone(session: AsyncSession, zone: str, *, by: Member) -> None:
    """Tell this person the time of `zone` from now on."""
    by.require(Permission.OWN_SETTINGS)
    if not is_zone(zone):
        raise NotAChoice
    await session.execute(update(User).where(User.id == by.user_id).values(time_zone=zone))
