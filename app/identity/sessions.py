"""Who is behind this cookie? A random token whose hash alone is kept; it ends after 12 idle hours, or 30 days."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.transaction import bind_tenant, tenant_of
from app.identity.models import Membership, Role, Session

IDLE = timedelta(hours=12)
LONGEST = timedelta(days=30)
SELDOM = timedelta(minutes=30)  # the end is moved at most this often, so that reading a page rarely writes
BYTES = 32


@dataclass(frozen=True)
class Found:
    """A session that is in force; its company is bound from now on."""

    id: UUID
    user_id: UUID


async def open_session(session: AsyncSession, user_id: UUID) -> str:
    """A new signed-in browser of the bound company; the token that comes back is kept nowhere else."""
    token = secrets.token_urlsafe(BYTES)
    row = {
        "tenant_id": tenant_of(session),
        "user_id": user_id,
        "token_hash": _hash(token),
        "expires_at": func.clock_timestamp() + IDLE,
    }
    await session.execute(insert(Session).values(row))
    return token


async def find_session(session: AsyncSession, token: str) -> Found | None:
    """Whose token it is, if it still counts; binds this transaction to its company."""
    door = text("SELECT tenant_id, session_id, user_id FROM door_session(:hash)")
    row = (await session.execute(door, {"hash": _hash(token)})).one_or_none()
    if row is None:
        return None
    await bind_tenant(session, row.tenant_id)
    await _keep_going(session, row.session_id)
    return Found(row.session_id, row.user_id)


async def end_session(session: AsyncSession, session_id: UUID) -> None:
    """Sign out: the token opens nothing from the commit on."""
    await session.execute(
        update(Session)
        .where(Session.tenant_id == tenant_of(session), Session.id == session_id, Session.ended_at.is_(None))
        .values(ended_at=func.clock_timestamp())
    )


async def still_open(session: AsyncSession, ids: set[UUID]) -> dict[UUID, Role]:
    """Which of these sessions of the bound company still count, and with which role (RELIABILITY A7)."""
    of_member = (Membership.tenant_id == Session.tenant_id) & (Membership.user_id == Session.user_id)
    rows = await session.execute(
        select(Session.id, Membership.role)
        .join(Membership, of_member & Membership.ended_at.is_(None))
        .where(Session.tenant_id == tenant_of(session), Session.id.in_(ids))
        .where(Session.ended_at.is_(None), Session.expires_at > func.clock_timestamp())
    )
    return {row.id: row.role for row in rows}


async def _keep_going(session: AsyncSession, session_id: UUID) -> None:
    """Move the idle end, never beyond the longest one."""
    wanted = func.least(func.clock_timestamp() + IDLE, Session.made_at + LONGEST, type_=Session.expires_at.type)
    await session.execute(
        update(Session)
        .where(Session.tenant_id == tenant_of(session), Session.id == session_id)
        .where(Session.expires_at < wanted - SELDOM)
        .values(expires_at=wanted)
    )


def _hash(token: str) -> bytes:
    # A random token of 256 bits needs no salt and no slow hash: there is nothing to guess.
    return hashlib.sha256(token.encode()).digest()
