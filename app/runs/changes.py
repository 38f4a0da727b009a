"""What is different from a moment ago? A picture of what is open and fresh in a company, small enough to compare."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval
from app.conversations.models import Message
from app.database.transaction import tenant_of
from app.employees.models import Agent
from app.runs.models import Run, ToolCall, Turn
from app.runs.states import ENDED

FRESH = timedelta(minutes=2)  # how long an ended task stays in the picture, so that its end is seen
MOST = 500


@dataclass(frozen=True)
class Row:
    """One task as it was: whose it is, what hangs on it, and a state that differs when anything did."""

    agent_id: UUID
    started_by: UUID | None
    topics: frozenset[str]
    state: tuple[object, ...]


@dataclass(frozen=True)
class Seen:
    """A picture: tasks by id, employees with their status."""

    rows: Mapping[UUID, Row]
    employees: Mapping[UUID, str]


async def look_at(session: AsyncSession) -> Seen:
    """The picture of now."""
    tenant_id = tenant_of(session)
    fresh = or_(Run.status.not_in(ENDED), Run.ended_at > func.clock_timestamp() - FRESH)
    of_run = (Run.tenant_id == tenant_id) & fresh
    turns = select(func.count()).where(Turn.tenant_id == Run.tenant_id, Turn.run_id == Run.id).scalar_subquery()
    calls = select(func.count(ToolCall.outcome_at)).where(
        ToolCall.tenant_id == Run.tenant_id, ToolCall.run_id == Run.id
    )
    said = select(func.count()).where(
        Message.tenant_id == Run.tenant_id, Message.conversation_id == Run.conversation_id
    )
    found = await session.execute(
        select(Run, turns, calls.scalar_subquery(), said.scalar_subquery())
        .where(of_run)
        .order_by(Run.id.desc())
        .limit(MOST)
    )
    runs = found.all()
    asked: dict[UUID, list[tuple[UUID, str]]] = {}
    requests = select(Approval.run_id, Approval.id, Approval.status).where(
        Approval.tenant_id == tenant_id, Approval.run_id.in_([row[0].id for row in runs])
    )
    for run_id, approval_id, status in await session.execute(requests.order_by(Approval.id)):
        asked.setdefault(run_id, []).append((approval_id, status.value))
    staff = await session.execute(select(Agent.id, Agent.status).where(Agent.tenant_id == tenant_id))
    rows = {row[0].id: _row(row[0], tuple(row[1:]), asked.get(row[0].id, [])) for row in runs}
    return Seen(rows, {row.id: row.status.value for row in staff})


def _row(run: Run, counts: tuple[object, ...], asked: list[tuple[UUID, str]]) -> Row:
    topics = {f"task:{run.id}", f"conversation:{run.conversation_id}", f"employee:{run.agent_id}"}
    topics |= {f"request:{approval_id}" for approval_id, _ in asked}
    state = (run.status.value, run.waiting_for, *counts, *asked)
    return Row(run.agent_id, run.started_by, frozenset(topics), state)
