"""What counts towards a ceiling that was set in the middle of a month? What was done before it, in the same period."""

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import cast
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.ceilings.ceiling import Ceiling, Per
from app.content import seal
from app.database.transaction import tenant_of
from app.identity.models import Tenant
from app.runs.models import Run, ToolCall
from app.runs.states import CallStatus

COUNTING = frozenset({CallStatus.ASKING, CallStatus.RUNNING, CallStatus.DONE, CallStatus.UNCERTAIN})
Arguments = Mapping[str, JsonValue]


async def opening(
    session: AsyncSession, ceiling: Ceiling, agent_id: UUID, whose_mark: str, today: date
) -> list[tuple[UUID, Arguments]]:
    """The calls that a new counter begins with, with their canonical arguments."""
    tenant_id = tenant_of(session)
    zone = await session.scalar(select(Tenant.time_zone).where(Tenant.id == tenant_id)) or "UTC"
    begins = datetime.combine(ceiling.first_day(today), time(), ZoneInfo(zone))
    if ceiling.since is not None and ceiling.since <= begins:
        return []
    wanted = (
        select(ToolCall.id, ToolCall.arguments_id, Run.bound_id)
        .join(Run, (Run.tenant_id == ToolCall.tenant_id) & (Run.id == ToolCall.run_id))
        .where(ToolCall.tenant_id == tenant_id, Run.agent_id == agent_id)
        .where(ToolCall.tool.in_(ceiling.tools), ToolCall.status.in_(COUNTING), ToolCall.made_at >= begins)
    )
    if ceiling.per is Per.TARGET:
        wanted = wanted.where(ToolCall.target_mark == whose_mark)
    rows = (await session.execute(wanted)).all()
    content = await seal.read_many(session, [row.arguments_id for row in rows] + [row.bound_id for row in rows])
    found = []
    for row in rows:
        if ceiling.per is Per.CORRESPONDENT and whose_mark != await _customer(session, content.get(row.bound_id)):
            continue
        kept = cast(Mapping[str, JsonValue], content.get(row.arguments_id) or {})
        found.append((row.id, cast(Arguments, kept.get("canonical") or {})))
    return found


async def _customer(session: AsyncSession, about: JsonValue) -> str:
    who = about.get("correspondent") if isinstance(about, dict) else None
    return await seal.mark(session, who) if who else ""
