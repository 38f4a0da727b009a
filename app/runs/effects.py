"""How is a call carried out? Its intent is committed, the effect happens, its outcome is committed (promise 5).

`execute` is the one place where a tool runs, whoever decided. It reads the approval's row and the policy again
in the transaction that writes the intent; whatever cannot be checked there means "not executed".
"""

from collections.abc import Mapping
from typing import cast
from uuid import UUID, uuid4

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval, ApprovalStatus
from app.audit.events import Event
from app.audit.journal import record
from app.ceilings.reserve import take_turns
from app.connections.mail import post_of
from app.connections.queries import secrets_of
from app.content import seal
from app.conversations.models import Conversation
from app.database.away import patiently
from app.employees.models import AgentStatus
from app.identity.decides import may_decide, name_of
from app.policy.decision import Kind
from app.runs import told
from app.runs.attempt import Intent, attempt
from app.runs.breakpoints import reach
from app.runs.call import Arguments, give_result, mark_arguments, settle_mode
from app.runs.claim import Lease
from app.runs.decided import TOOL_CHANGED, forbidden_by
from app.runs.fenced import FencedPost
from app.runs.house import House
from app.runs.limits import Limits
from app.runs.models import ToolCall
from app.runs.outcome import Outcome, write_outcome
from app.runs.situation import Situation, look
from app.runs.states import CallStatus
from app.tools.context import Context
from app.tools.tool import Tool

LONGEST_WAIT = 60.0  # seconds for the database; then the run's next worker says `uncertain`


async def execute(lease: Lease, house: House, call_id: UUID, limits: Limits) -> None:
    """Carry out one call that may go ahead, or find in the last moment that it may not."""
    await reach("before_intent")
    intent = await _intend(lease, house, call_id, limits)
    if intent is None:
        return
    await reach("after_intent")
    lease.require_time()
    outcome = await attempt(intent)
    await reach("after_effect")
    await _keep(lease, intent, outcome, limits)
    await reach("after_outcome")


async def _intend(lease: Lease, house: House, call_id: UUID, limits: Limits) -> Intent | None:
    async with lease.step() as (session, run):
        situation = await look(session, run)
        if run.cancelled_by is not None or situation.agent.status is not AgentStatus.ACTIVE:
            return None  # nothing new starts (fault H3); the next move ends the run, or lets it wait
        call = next(one for one in situation.calls if one.id == call_id)
        tool = situation.tools.get(call.tool)
        if tool is None:
            await _tool_gone(session, situation, call)
            return None
        what = await _may_run(session, situation, call, tool, house, limits)
        if what is None:
            return None
        canonical, note = what
        call.intent_at = call.intent_at or situation.now  # a second try with the same key keeps its first time
        call.status, call.intent_token = CallStatus.RUNNING, lease.token
        call.idempotency_key = call.idempotency_key or str(uuid4())
        secrets_of_company = await secrets_of(session, house.secrets)
        return Intent(call.id, tool, canonical, _context(lease, house, situation, call, secrets_of_company), note)


async def _may_run(
    session: AsyncSession, situation: Situation, call: ToolCall, tool: Tool, house: House, limits: Limits
) -> tuple[Arguments, str] | None:
    """The arguments with which this call may run now, and a note for the model; None: it may not, and that is kept."""
    stored = cast(Arguments, await seal.read(session, call.arguments_id))
    canonical, cited = cast(Arguments, stored["canonical"]), str(stored["exception"])
    same = await seal.mark(session, [call.tool, canonical]) == call.arguments_mark
    match call.status:
        case CallStatus.ASKING:
            return await _approved(session, situation, call, tool, house, limits, same=same)
        case CallStatus.READY | CallStatus.RUNNING if tool.kind is Kind.READ:
            return canonical, ""
        case CallStatus.READY if same:
            await settle_mode(
                session,
                situation,
                call,
                tool,
                canonical,
                cited=cited,
                limits=limits,
                settings=house.settings,
                intending=True,
            )
            return (canonical, "") if call.status is CallStatus.READY else None
        case CallStatus.RUNNING if same:  # its worker died; the other side knows it by its key
            return canonical, ""
        case CallStatus.RUNNING:
            unknown = Outcome(CallStatus.UNCERTAIN, told.UNCERTAIN)
            await write_outcome(session, call, unknown, agent_id=situation.agent.id, limits=limits)
        case _:
            text = told.by_policy("arguments_changed")
            await give_result(session, call, CallStatus.REFUSED, text, refused_by="policy:arguments_changed")
    return None


async def _tool_gone(session: AsyncSession, situation: Situation, call: ToolCall) -> None:
    await give_result(session, call, CallStatus.REFUSED, told.by_policy("job_sheet"), refused_by="policy:tool_gone")
    approval = situation.approvals.get(call.id)
    if approval is not None and approval.status in (ApprovalStatus.PENDING, ApprovalStatus.APPROVED):
        await _withdraw(session, approval, "tool_gone", call)


async def _approved(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    tool: Tool,
    house: House,
    limits: Limits,
    *,
    same: bool,
) -> tuple[Arguments, str] | None:
    """The arguments that a person said yes to, if that yes still holds in every respect; else the call asks or ends."""
    approval = situation.approvals.get(call.id)
    if approval is None or approval.status is not ApprovalStatus.APPROVED or approval.decided_by is None:
        return None
    kept = cast(Arguments, await seal.read(session, approval.arguments_id))
    canonical = cast(Arguments, kept["canonical"])
    exact = await seal.mark(session, [call.tool, canonical])
    if not same or exact != approval.arguments_mark or exact != call.arguments_mark:
        await _ask_again(session, situation, call, approval, house, limits, why="arguments_changed")
        return None
    if approval.decided_at is None or approval.decided_at >= approval.expires_at:  # silence was the answer
        await _withdraw(session, approval, "expired", call)
        await give_result(session, call, CallStatus.REFUSED, told.EXPIRED, refused_by="silence")
        return None
    if situation.now - approval.decided_at > limits.start_after_yes:
        await _ask_again(session, situation, call, approval, house, limits, why="too_late_to_run")
        return None
    if not await may_decide(session, approval.decided_by, situation.agent.id):
        await _ask_again(session, situation, call, approval, house, limits, why="approver_changed")
        return None
    if (rule := await forbidden_by(session, situation, call, tool, canonical, hold=True)) is not None:
        await give_result(session, call, CallStatus.REFUSED, told.by_policy(rule), refused_by=f"policy:{rule}")
        await _withdraw(session, approval, rule if rule == TOOL_CHANGED else "policy_changed", call)
        return None
    before = cast(Arguments, kept.get("before") or canonical)
    name = await name_of(session, approval.decided_by)
    return canonical, told.changed(before, canonical, name) if approval.changed else ""


async def _ask_again(
    session: AsyncSession,
    situation: Situation,
    call: ToolCall,
    approval: Approval,
    house: House,
    limits: Limits,
    *,
    why: str,
) -> None:
    """What was approved is not what would run, or the yes is too old: a new request, and the journal says why."""
    stored = cast(Arguments, await seal.read(session, call.arguments_id))
    canonical = cast(Arguments, stored["canonical"])
    await take_turns(session, situation.agent.id)  # it is counted anew, and the journal's line comes before that
    await _withdraw(session, approval, why, call)
    tool = situation.tools[call.tool]
    await mark_arguments(session, call, tool, canonical)
    await settle_mode(
        session,
        situation,
        call,
        tool,
        canonical,
        cited=str(stored["exception"]),
        limits=limits,
        settings=house.settings,
    )


async def _withdraw(session: AsyncSession, approval: Approval, why: str, call: ToolCall) -> None:
    approval.status, approval.withdrawn_why = ApprovalStatus.WITHDRAWN, why
    await session.flush()  # the journal's line comes last
    facts: dict[str, str | int | bool | None] = {"tool": call.tool, "why": why}
    await record(session, Event.APPROVAL_WITHDRAWN, about=approval.id, agent_id=approval.agent_id, facts=facts)


def _context(
    lease: Lease, house: House, situation: Situation, call: ToolCall, secrets_of_company: Mapping[str, str]
) -> Context:
    return Context(
        tenant_id=lease.tenant_id,
        agent_id=situation.agent.id,
        agent_name=situation.agent.name,
        run_id=lease.run_id,
        conversation_id=situation.conversation.id,
        about=situation.about,
        idempotency_key=str(call.idempotency_key),
        drawn_from_outside=situation.conversation.outside_at is not None,
        now=situation.now,
        transaction=lambda: lease.database.tenant(lease.tenant_id),
        http=house.http,
        mail=FencedPost(post_of(house.mail, house.http, secrets_of_company), lease),
        secrets=secrets_of_company,
    )


async def _keep(lease: Lease, intent: Intent, outcome: Outcome, limits: Limits) -> None:
    """Write what was seen, once, also where the database is away: nobody else knows it."""

    async def write() -> None:
        async with lease.step() as (session, run):
            call = await session.get_one(ToolCall, (lease.tenant_id, intent.call_id))
            if call.status is not CallStatus.RUNNING:
                return  # an earlier try was kept and only its confirmation was lost (fault DB3)
            if call.intent_token != lease.token:
                raise RuntimeError("an outcome without its intent")
            call.intent_token = None  # the try is over: nobody will finish it later
            await write_outcome(session, call, outcome, agent_id=run.agent_id, limits=limits)
            tool = intent.tool
            if tool.kind is Kind.READ and not tool.reads_outside and outcome.status is CallStatus.DONE:
                run.house_read = True
            if outcome.outside:
                run.outside_read = True
                conversation = await session.get_one(Conversation, (lease.tenant_id, run.conversation_id))
                conversation.outside_at = conversation.outside_at or func.clock_timestamp()

    await patiently(write, seconds=LONGEST_WAIT)
