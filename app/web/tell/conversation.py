"""What was asked, said and done in a conversation, in the order in which it happened?"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from urllib.parse import quote
from uuid import UUID

from app.approvals.models import ApprovalStatus
from app.approvals.queries import Asked, asked_in_conversation
from app.conversations.models import Author, MessageKind
from app.conversations.queries import Said, Talk, messages
from app.employees.models import AgentStatus
from app.employees.queries import Employee as Record
from app.employees.queries import employees
from app.identity.queries import names_of
from app.identity.roles import Permission
from app.language.speech import N_
from app.language.words import ENDS
from app.runs.queries import Task, tasks_of_conversation
from app.runs.states import CallStatus, End
from app.web.contexts.chrome import Choice, Field, Person
from app.web.contexts.conversation import ConversationPage, Message
from app.web.tell.effects import SENDS, title
from app.web.tell.foreign import mail
from app.web.tell.grants import of_conversation
from app.web.tell.inbox import card
from app.web.tell.people import employee, person
from app.web.tell.task import state_of
from app.web.visit import Visit

MESSAGES = 100
EVENTS: dict[ApprovalStatus, str] = {
    ApprovalStatus.APPROVED: N_("%(who)s approved: %(title)s"),
    ApprovalStatus.REJECTED: N_("%(who)s rejected: %(title)s"),
    ApprovalStatus.EXPIRED: N_("Nobody answered in time: %(title)s"),
    ApprovalStatus.WITHDRAWN: N_("No longer asked: %(title)s"),
    ApprovalStatus.SUPERSEDED: N_("Replaced by a newer request: %(title)s"),
}


async def conversation_page(
    visit: Visit, talk: Talk, *, before: datetime | None = None, say: Field | None = None
) -> ConversationPage:
    """The newest part of it, or the part before a moment."""
    session = visit.session
    staff = await employees(session)
    record = staff[talk.agent_id]
    said = await messages(session, talk.id, most=MESSAGES, before=before)
    asked = await asked_in_conversation(session, talk.id)
    tasks = await tasks_of_conversation(session, talk.id)
    names = await names_of(session, [*(one.user_id for one in said), *(one.decided_by for one in asked)])
    since = said[0].at if len(said) == MESSAGES else None
    all_of_it = _without_drafts_of_what_was_sent(
        [*_said(visit, said, names), *_asked(visit, asked, staff, names), *_ended(visit, tasks)]
    )
    state, tone = state_of(visit, record, tasks[-1] if tasks else None)
    return ConversationPage(
        id=str(talk.id),
        title=talk.title,
        employee=employee(visit, record),
        # what is still open comes last: it stands where one reads to, above where one writes
        messages=tuple(sorted(_between(all_of_it, since, before), key=lambda one: (one.kind == "request", one.at))),
        state=state,
        tone=tone,
        outside=talk.outside,
        task_urls=_tasks(visit, tasks),
        can_write=visit.member.may(Permission.TALK) and record.status is not AgentStatus.DISMISSED,
        say=say or say_field(visit, record),
        earlier_url=f"/conversations/{talk.id}?before={quote(since.isoformat())}" if since else "",
        live=any(task.going for task in tasks),
        grants=await of_conversation(visit, talk),
    )


def say_field(visit: Visit, record: Record, *, value: str = "", error: str = "") -> Field:
    """Where a word to the employee is written."""
    return Field("text", visit.speech.say("Write to %(name)s", {"name": record.name}), value, kind="long", error=error)


def _between(all_of_it: Iterable[Message], since: datetime | None, before: datetime | None) -> Iterator[Message]:
    for message in all_of_it:
        if (since is None or message.at >= since) and (before is None or message.at < before):
            yield message


def _said(visit: Visit, said: Iterable[Said], names: Mapping[UUID, str]) -> Iterator[Message]:
    for one in said:
        by = person(visit.speech, visit.member, one.user_id, names)
        match one.kind:
            case MessageKind.MAIL:
                yield Message("mail", str(one.id), one.at, foreign=mail(visit.speech, one.mail, one.at))
            case MessageKind.DRAFT:
                subject, body = str(one.content.get("subject", "")), str(one.content.get("body", ""))
                yield Message("draft", str(one.id), one.at, body, subject, outside=one.outside)
            case MessageKind.SAID if one.author is Author.PERSON:
                somebody = by or Person(visit.speech.say("somebody who left"))
                yield Message("person", str(one.id), one.at, one.text, by=somebody)
            case MessageKind.SAID if one.author is Author.PLACET:
                continue  # an instruction of ours to the employee; what it is about stands here itself
            case MessageKind.NOTE:
                label = visit.speech.say("Note for the manager")
                yield Message("answer", str(one.id), one.at, one.text, label, outside=one.outside)
            case _:
                yield Message("answer", str(one.id), one.at, one.text, outside=one.outside)


def _without_drafts_of_what_was_sent(all_of_it: list[Message]) -> list[Message]:
    """A draft that left as it was is read once, as the mail that was sent."""
    sent = {(one.subject, one.text) for one in all_of_it if one.kind == "sent"}
    return [one for one in all_of_it if one.kind != "draft" or (one.subject, one.text) not in sent]


def _asked(
    visit: Visit, asked: Iterable[Asked], staff: dict[UUID, Record], names: Mapping[UUID, str]
) -> Iterator[Message]:
    for one in asked:
        if one.status is ApprovalStatus.PENDING:
            yield Message("request", str(one.id), one.asked_at, card=card(visit, one, staff))
            continue
        who = person(visit.speech, visit.member, one.decided_by, names)
        facts = {"who": _name(visit, who), "title": title(visit.speech, one.tool, one.arguments)}
        at = one.decided_at or one.expires_at
        yield Message("event", str(one.id), at, visit.speech.say(EVENTS[one.status], facts), url=f"/requests/{one.id}")
        if one.tool == SENDS and one.call_status is CallStatus.DONE and one.status is ApprovalStatus.APPROVED:
            subject, body = str(one.arguments.get("subject", "")), str(one.arguments.get("body", ""))
            yield Message("sent", f"sent-{one.call_id}", one.outcome_at or at, body, subject, outside=one.outside)


def _ended(visit: Visit, tasks: Iterable[Task]) -> Iterator[Message]:
    for task in tasks:
        if task.ended_at and task.end and task.end is not End.ANSWERED:
            why = visit.speech.say(ENDS[task.end])
            yield Message("end", f"end-{task.id}", task.ended_at, why, url=f"/tasks/{task.id}")


def _tasks(visit: Visit, tasks: list[Task]) -> tuple[Choice, ...]:
    if len(tasks) == 1:
        return (Choice(f"/tasks/{tasks[0].id}", visit.speech.say("See every step")),)
    return tuple(
        Choice(f"/tasks/{task.id}", visit.speech.say("Steps of task %(number)s", {"number": number}))
        for number, task in enumerate(tasks, 1)
    )


def _name(visit: Visit, who: Person | None) -> str:
    return "" if who is None else visit.speech.say("You") if who.is_me else who.name
