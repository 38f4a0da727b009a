"""How does a run stop for now, or for good? Every step of its state is made here (promise 7: each end has a name)."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval, ApprovalStatus
from app.audit.events import Event
from app.audit.journal import record
from app.content import seal
from app.conversations.models import Author, Conversation, Message, MessageKind
from app.conversations.say import start_run
from app.database.transaction import tenant_of
from app.ids import new_id
from app.policy.decision import Kind
from app.runs import told
from app.runs.breakpoints import reach
from app.runs.call import give_result
from app.runs.models import Origin, Run
from app.runs.situation import Situation
from app.runs.states import OPEN_CALLS, RUN_STEPS, STATUS_OF_END, CallStatus, End, RunStatus, WaitingFor

HEARS_ON = frozenset({RunStatus.DONE, RunStatus.STOPPED})
ENDED_IT: dict[str, str | int | bool | None] = {"why": "run_ended"}


def step(run: Run, status: RunStatus) -> None:
    """Make one step of the run's state. Raises RuntimeError for one that is not in the table."""
    if status not in RUN_STEPS[run.status]:
        raise RuntimeError(f"a run cannot go from {run.status} to {status}")
    run.status = status
    if status is not RunStatus.RUNNING:
        run.lease_token = run.lease_until = None
    if status is not RunStatus.WAITING:
        run.waiting_for = None


async def wait(session: AsyncSession, run: Run, reason: WaitingFor, *, seconds: float) -> None:
    """Let it wait; it looks again by itself after `seconds`, or when somebody wakes it."""
    step(run, RunStatus.WAITING)
    run.waiting_for = reason
    run.due_at = func.clock_timestamp() + timedelta(seconds=seconds)
    await session.flush()
    await reach("before_wait")


async def again(session: AsyncSession, run: Run) -> None:
    """Put it back into the queue at once."""
    step(run, RunStatus.QUEUED)
    run.due_at = func.clock_timestamp()
    await session.flush()


async def end(
    session: AsyncSession, situation: Situation, reason: End, text: str | None = None, *, reference: str | None = None
) -> None:
    """End it. What was still open is refused, so that the history stays valid; its last word is kept."""
    run = situation.run
    lines = await _close_open(session, situation)
    if text:
        session.add(
            Message(
                tenant_id=tenant_of(session),
                id=new_id(),
                conversation_id=run.conversation_id,
                author=Author.AGENT,
                kind=MessageKind.ANSWER,
                run_id=run.id,
                for_model=False,
                drawn_from_outside=situation.conversation.outside_at is not None,
                content_id=await seal.keep(session, {"text": text}),
            )
        )
    step(run, STATUS_OF_END[reason])
    run.end, run.error_reference, run.ended_at = reason, reference, func.clock_timestamp()
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == tenant_of(session), Conversation.id == run.conversation_id)
        .values(changed_at=func.clock_timestamp())
    )
    await session.flush()
    if run.status in HEARS_ON:
        await _hear(session, run)
    for event, about, tool in lines:
        await record(
            session, event, by_agent=run.agent_id, about=about, agent_id=run.agent_id, facts={"tool": tool, **ENDED_IT}
        )
    facts: dict[str, str | int | bool | None] = {"end": reason.value}
    await record(session, Event.TASK_ENDED, by_agent=run.agent_id, about=run.id, agent_id=run.agent_id, facts=facts)
    await reach("before_end")


async def _hear(session: AsyncSession, run: Run) -> None:
    """What was said too late for this task starts the next one: nobody is left without an answer."""
    unread = select(Message.author, Message.user_id).where(
        Message.tenant_id == run.tenant_id,
        Message.conversation_id == run.conversation_id,
        Message.for_model,
        Message.after_turn.is_(None),
    )
    if (said := (await session.execute(unread.order_by(Message.made_at).limit(1))).first()) is not None:
        origin = Origin.PERSON if said.author is Author.PERSON else run.origin
        await start_run(session, run.tenant_id, run.agent_id, run.conversation_id, origin, said.user_id)


async def _close_open(session: AsyncSession, situation: Situation) -> list[tuple[Event, UUID, str]]:
    """Give every open call its result and close its request. Gives back the lines that the journal gets at the end.

    An effect that had begun is uncertain: nobody will know what came of it.
    """
    unsettled = [call for call in situation.calls if call.status in OPEN_CALLS and call.result_id is None]
    begun = [call for call in unsettled if call.status is CallStatus.RUNNING and call.kind is not Kind.READ]
    for call in begun:
        call.status, call.outcome_at = CallStatus.UNCERTAIN, func.clock_timestamp()
    for call in unsettled:
        if call.status is not CallStatus.UNCERTAIN:
            await give_result(session, call, CallStatus.REFUSED, told.RUN_ENDED, refused_by="run_ended")
        else:
            call.result_id = await seal.keep(session, {"text": told.UNCERTAIN, "value": None, "provenance": "house"})
    closed = await session.execute(
        update(Approval)
        .where(Approval.tenant_id == tenant_of(session), Approval.run_id == situation.run.id)
        .where(Approval.status == ApprovalStatus.PENDING)
        .values(status=ApprovalStatus.WITHDRAWN, withdrawn_why="run_ended")
        .returning(Approval.id, Approval.call_id)
    )
    tools = {call.id: call.tool for call in situation.calls}
    unknown = [(Event.CALL_UNCERTAIN, call.id, call.tool) for call in begun]
    return unknown + [(Event.APPROVAL_WITHDRAWN, row.id, tools[row.call_id]) for row in closed]
