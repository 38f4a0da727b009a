"""Which versions does a job sheet have, who made each, and what did each change?"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, cast
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.database.transaction import tenant_of
from app.employees.draft import Difference, Draft, differences, draft_of
from app.employees.models import Agent, JobSheet
from app.errors import NotFound
from app.identity.roles import Member, Permission


@dataclass(frozen=True)
class Version:
    """One version, whole."""

    agent_id: UUID
    version: int
    made_by: UUID | None
    made_at: datetime
    draft: Draft


@dataclass(frozen=True)
class Step:
    """One version beside the one before it; the first changed nothing."""

    version: int
    made_by: UUID | None
    made_at: datetime
    changed: tuple[Difference, ...]


async def version_of(session: AsyncSession, agent_id: UUID, version: int | None = None) -> Version:
    """A version of the job sheet, the one in force by default. Raises NotFound."""
    in_force = select(Agent.sheet_version).where(Agent.tenant_id == tenant_of(session), Agent.id == agent_id)
    wanted = await session.scalar(in_force) if version is None else version
    found = await _versions(session, agent_id, only=wanted)
    if wanted is None or not found:
        raise NotFound
    return found[0]


async def history(session: AsyncSession, agent_id: UUID, *, by: Member) -> list[Step]:
    """Every version with what it changed, the newest first. Raises NotAllowed, NotFound."""
    by.require(Permission.SEE_EMPLOYEES)
    found = await _versions(session, agent_id, only=None)
    if not found:
        raise NotFound
    first = Step(found[0].version, found[0].made_by, found[0].made_at, ())
    later = [
        Step(now.version, now.made_by, now.made_at, differences(before.draft, now.draft))
        for before, now in pairwise(found)
    ]
    return [first, *later][::-1]


async def _versions(session: AsyncSession, agent_id: UUID, *, only: int | None) -> list[Version]:
    wanted = select(JobSheet).where(JobSheet.tenant_id == tenant_of(session), JobSheet.agent_id == agent_id)
    if only is not None:
        wanted = wanted.where(JobSheet.version == only)
    sheets = list(await session.scalars(wanted.order_by(JobSheet.version)))
    words = await seal.read_many(session, [sheet.words_id for sheet in sheets])
    return [
        Version(
            sheet.agent_id,
            sheet.version,
            sheet.made_by,
            sheet.made_at,
            draft_of(sheet, cast(Mapping[str, Any], words.get(sheet.words_id) or {})),
        )
        for sheet in sheets
    ]
