"""How does a person speak to an employee? With a task, or a word in a conversation; also while it waits."""

from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.content import seal
from app.conversations.models import Author, Conversation, ConversationKind, Message, MessageKind
from app.employees.models import Agent, AgentStatus
from app.employees.talk import require_talk
from app.errors import NotAllowed, NotFound, PlacetError
from app.identity.roles import Member, Permission
from app.ids import new_id
from app.operations import first_time, outcome_of
from app.runs.models import Origin, Run
from app.runs.states import ENDED, RunStatus

LONGEST = 20_000  # characters
TITLE = 80


class NothingSaid(PlacetError):
    """Please write what is to be done."""

    status = 422


class NoLongerHere(PlacetError):
    """This employee no longer works here, so it cannot take on anything."""

    status = 409


async def give_task(session: AsyncSession, agent_id: UUID, text: str, *, by: Member, operation: UUID) -> UUID:
    """Start a conversation with a task in words; gives back its id. The same `operation` twice is one task."""
    by.require(Permission.TALK)
    if not text.strip():
        raise NothingSaid
    agent = await session.get(Agent, (by.tenant_id, agent_id))
    if agent is None:
        raise NotFound
    if agent.status is AgentStatus.DISMISSED:
        raise NoLongerHere
    await require_talk(session, agent_id, by=by)
    conversation_id = new_id()
    if not await first_time(
        session, operation, "task.give", by=by.user_id, outcome={"conversation": str(conversation_id)}
    ):
        done = await outcome_of(session, operation)
        return UUID((done or {})["conversation"])
    session.add(
        Conversation(
            tenant_id=by.tenant_id,
            id=conversation_id,
            agent_id=agent_id,
            kind=ConversationKind.TASK,
            started_by=by.user_id,
            title_id=await seal.keep(session, " ".join(text.split())[:TITLE]),
        )
    )
    await session.flush()  # what follows refers to it
    await _write(session, conversation_id, text, by=by)
    await start_run(session, by.tenant_id, agent_id, conversation_id, Origin.PERSON, by.user_id)
    await session.flush()
    await record(session, Event.TASK_GIVEN, by=by.user_id, about=conversation_id, agent_id=agent_id)
    return conversation_id


async def say(session: AsyncSession, conversation_id: UUID, text: str, *, by: Member, operation: UUID) -> None:
    """Say something in a conversation. While a run waits it goes with its next request; otherwise it starts one."""
    by.require(Permission.TALK)
    conversation = await session.get(Conversation, (by.tenant_id, conversation_id))
    if conversation is None:
        raise NotFound
    if not by.reads(conversation.agent_id, conversation.started_by):
        raise NotAllowed
    await require_talk(session, conversation.agent_id, by=by)
    if not text.strip():
        raise NothingSaid
    if not await first_time(session, operation, "message.say", by=by.user_id):
        return
    await _write(session, conversation_id, text, by=by)
    open_run = select(Run.id).where(
        Run.tenant_id == by.tenant_id, Run.conversation_id == conversation_id, Run.status.not_in(ENDED)
    )
    while await session.scalar(open_run.with_for_update()) is None:  # held, so that it cannot end without reading this
        await start_run(session, by.tenant_id, conversation.agent_id, conversation_id, Origin.PERSON, by.user_id)
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == by.tenant_id, Conversation.id == conversation_id)
        .values(changed_at=func.clock_timestamp())
    )
    await session.flush()
    await record(session, Event.MESSAGE_SAID, by=by.user_id, about=conversation_id, agent_id=conversation.agent_id)


async def start_run(
    session: AsyncSession, tenant_id: UUID, agent_id: UUID, conversation_id: UUID, origin: Origin, by: UUID | None
) -> None:
    """Put one piece of work into the queue; a worker hears of it when the transaction commits.

    Where the conversation has an open run already (two people wrote at once), that one reads both.
    """
    await session.flush()  # the run refers to a conversation that may be new
    new = insert(Run).values(
        tenant_id=tenant_id,
        id=new_id(),
        agent_id=agent_id,
        conversation_id=conversation_id,
        origin=origin,
        started_by=by,
        status=RunStatus.QUEUED,
        outside_read=False,
        house_read=False,
    )
    await session.execute(new.on_conflict_do_nothing())


async def _write(session: AsyncSession, conversation_id: UUID, text: str, *, by: Member) -> None:
    session.add(
        Message(
            tenant_id=by.tenant_id,
            id=new_id(),
            conversation_id=conversation_id,
            author=Author.PERSON,
            kind=MessageKind.SAID,
            user_id=by.user_id,
            for_model=True,
            content_id=await seal.keep(session, {"text": text.strip()[:LONGEST]}),
        )
    )
