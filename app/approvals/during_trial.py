"""What was asked during a trial, and what did people answer? Counted by what was asked, for whoever ends the trial."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval, ApprovalStatus
from app.employees.models import Agent
from app.errors import NotAllowed, NotFound
from app.identity.roles import Member
from app.runs.models import ToolCall


@dataclass(frozen=True)
class Asked:
    """How often one tool was asked about, and how the answers came out; `changed` are among the approved."""

    tool: str
    asked: int
    approved: int
    changed: int
    rejected: int
    expired: int
    pending: int


@dataclass(frozen=True)
class DuringTrial:
    """The trial in figures, and the requests that a person did not simply approve, the newest first."""

    since: datetime
    tools: tuple[Asked, ...]
    not_simply_approved: tuple[UUID, ...]


MOST_SHOWN = 20


async def during_trial(session: AsyncSession, agent_id: UUID, *, by: Member) -> DuringTrial:
    """Everything asked since the employee was hired. Raises NotFound, NotAllowed."""
    agent = await session.get(Agent, (by.tenant_id, agent_id))
    if agent is None:
        raise NotFound
    if not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    of_agent = (Approval.tenant_id == by.tenant_id, Approval.agent_id == agent_id, Approval.asked_at >= agent.hired_at)
    rows = await session.execute(
        select(ToolCall.tool, Approval.status, Approval.changed, func.count())
        .join(ToolCall, (ToolCall.tenant_id == Approval.tenant_id) & (ToolCall.id == Approval.call_id))
        .where(*of_agent)
        .group_by(ToolCall.tool, Approval.status, Approval.changed)
    )
    counts: dict[str, dict[tuple[ApprovalStatus, bool], int]] = {}
    for tool, status, changed, count in rows:
        counts.setdefault(tool, {})[status, changed] = count
    doubtful = await session.scalars(
        select(Approval.id)
        .where(*of_agent, (Approval.status.in_([ApprovalStatus.REJECTED, ApprovalStatus.EXPIRED])) | Approval.changed)
        .order_by(Approval.asked_at.desc())
        .limit(MOST_SHOWN)
    )
    asked = tuple(_asked(tool, counts[tool]) for tool in sorted(counts))
    return DuringTrial(agent.hired_at, asked, tuple(doubtful))


def _asked(tool: str, counts: Mapping[tuple[ApprovalStatus, bool], int]) -> Asked:
    def of(*wanted: ApprovalStatus) -> int:
        return sum(count for (status, _), count in counts.items() if status in wanted)

    return Asked(
        tool=tool,
        asked=sum(counts.values()),
        approved=of(ApprovalStatus.APPROVED),
        changed=sum(count for (_, changed), count in counts.items() if changed),
        rejected=of(ApprovalStatus.REJECTED),
        expired=of(ApprovalStatus.EXPIRED),
        pending=of(ApprovalStatus.PENDING),
    )
