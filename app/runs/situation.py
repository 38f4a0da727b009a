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

from app.approvals.grants import in_force, some_in_force
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
    company: str  # its name
    sheet: JobSheet
    words: dict[str, Any]  # mission, instructions, exceptions
    conversation: Conversation
    about: Mapping[str, JsonValue]
    turns: list[Turn]  # counted ones, in order
    dropped: int  # turns at the end that did not count
    last_number: int  # of all turns, counted or not
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
    """Load what a decision about this run depends on, as it is now: in three statements, since every step does it."""
    frame = await _frame(session, run)
    turns, calls, approvals = await _so_far(session, run)
    content = await seal.read_many(session, [frame.sheet.words_id, run.bound_id])
    words = cast(dict[str, Any], content[frame.sheet.words_id])
    counted = [turn for turn in turns if turn.counted]
    listed = set(frame.sheet.listed_tools) | BUILT_IN
    tools = {name: tool for name, tool in TOOLS.items() if name in listed} | await foreign_tools(session, listed)
    return Situation(
        run=run,
        agent=frame.agent,
        company=frame.company,
        sheet=frame.sheet,
        words=words,
        conversation=frame.conversation,
        about=cast(Mapping[str, JsonValue], content[run.bound_id] if run.bound_id else {}),
        turns=counted,
        dropped=sum(1 for turn in turns if turn.number > (counted[-1].number if counted else 0)),
        last_number=turns[-1].number if turns else 0,
        calls=calls,
        approvals=approvals,
        grants=await in_force(session, frame.agent.id, run.conversation_id) if frame.granted else (),
        now=frame.now,
        today=frame.now.astimezone(ZoneInfo(frame.time_zone)).date(),
        modes=mode_sheet(frame.sheet, words),
        hard=limits_of(frame.agent.template, read_floors(frame.floors)),
        ceilings=tuple(Ceiling.from_json(kept) for kept in frame.sheet.ceilings),
        tools=tools,
        house_read=await _house_read(session, run, tools),
    )


@dataclass(frozen=True)
class _Frame:
    """The rows around a run, of which there is one each."""

    agent: Agent
    sheet: JobSheet  # the version in force
    conversation: Conversation
    company: str
    time_zone: str
    floors: Mapping[str, str]
    granted: bool  # something is always allowed in this conversation: worth a look
    now: datetime


async def _frame(session: AsyncSession, run: Run) -> _Frame:
    """Raises NoResultFound if one of them is missing."""
    of_agent = (JobSheet.tenant_id == Agent.tenant_id) & (JobSheet.agent_id == Agent.id)
    found = await session.execute(
        select(Agent, JobSheet, Conversation, Tenant.name, Tenant.time_zone, Tenant.floors)
        .add_columns(some_in_force(), func.clock_timestamp())
        .join(JobSheet, of_agent & (JobSheet.version == Agent.sheet_version))
        .join(Conversation, (Conversation.tenant_id == Agent.tenant_id) & (Conversation.id == run.conversation_id))
        .join(Tenant, Tenant.id == Agent.tenant_id)
        .where(Agent.tenant_id == tenant_of(session), Agent.id == run.agent_id)
    )
    return _Frame(*found.one())


async def _so_far(session: AsyncSession, run: Run) -> tuple[list[Turn], list[ToolCall], dict[UUID, Approval]]:
    """The turns, their calls, and the newest request of each call: all in their order."""
    of_turn = (ToolCall.tenant_id == Turn.tenant_id) & (ToolCall.turn_id == Turn.id)
    of_call = (Approval.tenant_id == ToolCall.tenant_id) & (Approval.run_id == ToolCall.run_id)
    of_call &= Approval.call_id == ToolCall.id
    rows = await session.execute(
        select(Turn, ToolCall, Approval)
        .outerjoin(ToolCall, of_turn)
        .outerjoin(Approval, of_call)
        .where(Turn.tenant_id == tenant_of(session), Turn.run_id == run.id)
        .order_by(Turn.number, ToolCall.position, Approval.asked_at, Approval.id)
    )
    turns, calls, approvals = dict[UUID, Turn](), dict[UUID, ToolCall](), dict[UUID, Approval]()
    for turn, call, approval in rows:
        turns[turn.id] = turn
        if call is not None:
            calls[call.id] = call
        if approval is not None:
            approvals[approval.call_id] = approval
    return list(turns.values()), list(calls.values()), approvals


async def _house_read(session: AsyncSession, run: Run, tools: Mapping[str, Tool]) -> bool:
    """Only a reach outside asks for it, so nobody else pays for the query."""
    if not any(tool.reads_outside for tool in tools.values()):
        return True
    read = select(func.bool_or(Run.house_read)).where(
        Run.tenant_id == tenant_of(session), Run.conversation_id == run.conversation_id
    )
    return bool(await session.scalar(read))
