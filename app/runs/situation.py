"""What is there to know about a run when something is decided? Loaded once per step, in its transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.grants import in_force
from app.approvals.models import Approval
from app.ceilings.ceiling import Ceiling
from app.content import seal
from app.conversations.models import Conversation
from app.database.transaction import tenant_of
from app.employees.company_limits import limits_of, read_floors
from app.employees.models import Agent, JobSheet
from app.employees.sheet import mode_sheet
from app.identity.models import Tenant
from app.policy.decision import GrantView, Limits, ModeSheet
from app.runs.models import Run, ToolCall, Turn
from app.tool_servers.tools import foreign_tools
from app.tools.catalogue import BUILT_IN, TOOLS
from app.tools.tool import Tool


@dataclass
class Situation:
    """A run with what belongs to it, as of this transaction."""

    run: Run
    agent: Agent
    sheet: JobSheet
    words: dict[str, Any]  # mission, instructions, exceptions
    conversation: Conversation
    about: Mapping[str, JsonValue]
    turns: list[Turn]  # counted ones, in order
    dropped: int  # turns at the end that did not count
    calls: list[ToolCall]
    approvals: dict[UUID, Approval]  # the newest of each call
    grants: tuple[GrantView, ...]
    now: datetime
    today: date
    modes: ModeSheet
    hard: tuple[Limits, ...]
    ceilings: tuple[Ceiling, ...]
    tools: dict[str, Tool] = field(default_factory=dict)
    house_read: bool = True  # a task of this conversation has read data of the house; unknown counts as read

    @property
    def last(self) -> Turn | None:
        """The last turn that counted."""
        return self.turns[-1] if self.turns else None

    def of_turn(self, turn: Turn) -> list[ToolCall]:
        """The calls of one turn, in their order."""
        return [call for call in self.calls if call.turn_id == turn.id]


async def look(session: AsyncSession, run: Run) -> Situation:
    """Load what a decision about this run depends on, as it is now."""
    tenant_id = tenant_of(session)
    agent = await session.get_one(Agent, (tenant_id, run.agent_id))
    sheet = await _sheet(session, agent)
    words = cast(dict[str, Any], await seal.read(session, sheet.words_id))
    turns = await _turns(session, run)
    counted = [turn for turn in turns if turn.counted]
    company = select(Tenant.time_zone, Tenant.floors, func.clock_timestamp()).where(Tenant.id == tenant_id)
    zone, floors, now = (await session.execute(company)).one()
    about = await seal.read(session, run.bound_id) if run.bound_id else {}
    listed = set(sheet.listed_tools) | BUILT_IN
    tools = {name: tool for name, tool in TOOLS.items() if name in listed} | await foreign_tools(session, listed)
    return Situation(
        run=run,
        agent=agent,
        sheet=sheet,
        words=words,
        conversation=await session.get_one(Conversation, (tenant_id, run.conversation_id)),
        about=cast(Mapping[str, JsonValue], about),
        turns=counted,
        dropped=sum(1 for turn in turns if turn.number > (counted[-1].number if counted else 0)),
        calls=await _calls(session, run),
        approvals=await _approvals(session, run),
        grants=await in_force(session, agent.id, run.conversation_id),
        now=now,
        today=now.astimezone(ZoneInfo(zone)).date(),
        modes=mode_sheet(sheet, words),
        hard=limits_of(agent.template, read_floors(floors)),
        ceilings=tuple(Ceiling.from_json(kept) for kept in sheet.ceilings),
        tools=tools,
        house_read=await _house_read(session, run, tools),
    )


async def _sheet(session: AsyncSession, agent: Agent) -> JobSheet:
    """The version in force."""
    of_agent = select(JobSheet).where(JobSheet.tenant_id == agent.tenant_id, JobSheet.agent_id == agent.id)
    return (await session.scalars(of_agent.where(JobSheet.version == agent.sheet_version))).one()


async def _turns(session: AsyncSession, run: Run) -> list[Turn]:
    of_run = select(Turn).where(Turn.tenant_id == run.tenant_id, Turn.run_id == run.id)
    return list(await session.scalars(of_run.order_by(Turn.number)))


async def _calls(session: AsyncSession, run: Run) -> list[ToolCall]:
    of_turn = (Turn.tenant_id == ToolCall.tenant_id) & (Turn.id == ToolCall.turn_id)
    of_run = select(ToolCall).join(Turn, of_turn)
    of_run = of_run.where(ToolCall.tenant_id == run.tenant_id, ToolCall.run_id == run.id)
    return list(await session.scalars(of_run.order_by(Turn.number, ToolCall.position)))


async def _approvals(session: AsyncSession, run: Run) -> dict[UUID, Approval]:
    """The newest request of each call."""
    of_run = select(Approval).where(Approval.tenant_id == run.tenant_id, Approval.run_id == run.id)
    rows = await session.scalars(of_run.order_by(Approval.asked_at, Approval.id))
    return {approval.call_id: approval for approval in rows}


async def _house_read(session: AsyncSession, run: Run, tools: Mapping[str, Tool]) -> bool:
    """Only a reach outside asks for it, so nobody else pays for the query."""
    if not any(tool.reads_outside for tool in tools.values()):
        return True
    read = select(func.bool_or(Run.house_read)).where(
        Run.tenant_id == tenant_of(session), Run.conversation_id == run.conversation_id
    )
    return bool(await session.scalar(read))
