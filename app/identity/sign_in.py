"""May this person come in? By e-mail address and password, with bounded attempts and the same work for strangers."""

import asyncio
import hmac
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.database.engine import derive
from app.database.transaction import bind_tenant
from app.errors import PlacetError
from app.identity.passwords import hash_password, matches
from app.identity.sessions import open_session

PER_PERSON_AND_PLACE = 10  # in 15 minutes, as the door counts
PER_PERSON = 50  # from everywhere: enough for somebody to be let in while somebody else guesses
PER_PLACE = 100  # an office behind one address
AT_ONCE = 2  # Argon2id takes 64 MiB each


class WrongSignIn(PlacetError):
    """This e-mail address and password do not go together."""

    status = 422


class TooManyAttempts(PlacetError):
    """There were too many attempts. Try again in a quarter of an hour."""

    status = 429


class NoCompany(PlacetError):
    """You are not a member of any company here."""

    status = 403


@dataclass(frozen=True)
class Attempt:
    """Somebody at the door, and where they come from."""

    email: str
    password: str
    address: str


_hashing = asyncio.Semaphore(AT_ONCE)


async def count_attempt(session: AsyncSession, attempt: Attempt, app_secret: str) -> None:
    """Raises TooManyAttempts. In a transaction of its own, which is committed whether or not the password is right."""
    person, place = attempt.email.strip().lower(), attempt.address
    bounds = ((f"{person}\n{place}", PER_PERSON_AND_PLACE), (person, PER_PERSON), (f"\n{place}", PER_PLACE))
    counted = [await _count(session, key, app_secret) for key, _ in bounds]
    if any(count > bound for count, (_, bound) in zip(counted, bounds, strict=True)):
        raise TooManyAttempts


@dataclass(frozen=True)
class Known:
    """What the door knows about an address; nobody's where there is no such person."""

    password_hash: str
    user_id: UUID | None = None
    tenant_id: UUID | None = None


async def look_up(session: AsyncSession, attempt: Attempt) -> Known:
    """Who has this address, and in which company."""
    door = text("SELECT user_id, password_hash, tenant_id FROM door_sign_in(:address) ORDER BY tenant_id IS NULL")
    row = (await session.execute(door, {"address": attempt.email.strip()})).first()
    return Known(_nobodys()) if row is None else Known(row.password_hash, row.user_id, row.tenant_id)


async def require_password(known: Known, attempt: Attempt) -> tuple[UUID, UUID]:
    """Person and company. Raises WrongSignIn, after the same work for strangers. No transaction is open meanwhile."""
    async with _hashing:
        right = await asyncio.to_thread(matches, attempt.password, known.password_hash)
    if known.user_id is None or not right:
        raise WrongSignIn
    if known.tenant_id is None:
        raise NoCompany
    return known.user_id, known.tenant_id


async def come_in(session: AsyncSession, user_id: UUID, tenant_id: UUID) -> str:
    """The token of a new session, with its line in the journal."""
    await bind_tenant(session, tenant_id)
    token = await open_session(session, user_id)
    await record(session, Event.SIGNED_IN, by=user_id)
    return token


async def _count(session: AsyncSession, key: str, app_secret: str) -> int:
    # A keyed hash: the table of attempts holds neither addresses nor e-mails.
    hashed = hmac.new(derive(app_secret, "sign-in attempts"), key.encode(), "sha256").hexdigest()
    return int(await session.scalar(text("SELECT door_sign_in_attempt(:key)"), {"key": hashed}) or 0)


@cache
def _nobodys() -> str:
    """A hash that no password fits, so that an unknown address takes as long as a known one."""
    return hash_password("nobody has this password")
