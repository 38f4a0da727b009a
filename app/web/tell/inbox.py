"""What is in the inbox? What waits, what was done without asking, what stopped and why."""

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from app.approvals.queries import Asked, ids_waiting_for, waiting_for, waiting_for_others
from app.conversations.queries import Said, notes_since
from app.employees.queries import Employee as Record
from app.employees.queries import employees
from app.employees.trial import trials_over
from app.identity.queries import deciders
from app.identity.roles import Permission
from app.language.words import ENDS
from app.runs.queries import Deed, Task, done_alone_since, stopped_since, titles_of_tasks, uncertain
from app.web.contexts.chrome import Person
from app.web.contexts.inbox import Card, Done, InboxPage, Note, Question, Stopped, TrialOver
from app.web.tell.effects import picture, title
from app.web.tell.people import employee, persons
from app.web.tell.urgent import is_urgent
from app.web.visit import Visit

CARDS, LINES = 100, 60
TOLD_OTHERWISE = frozenset({"tell_manager"})  # its notes stand in a list of their own


async def inbox_page(visit: Visit, *, skip: int = 0) -> InboxPage:
    """Everything of it, in one go."""
    session, me = visit.session, visit.member
    staff = await employees(session)
    since = visit.speech.day_start()
    mine = await waiting_for(session, by=me, most=CARDS, skip=skip)
    waiting = await ids_waiting_for(session, by=me) if len(mine) == CARDS else []
    more = max(0, len(waiting) - skip - CARDS)
    others = await waiting_for_others(session, by=me, most=CARDS)
    can = {agent_id: await deciders(session, agent_id) for agent_id in {one.agent_id for one in others}}
    done = await done_alone_since(session, since, by=me, most=LINES * 5)
    return InboxPage(
        mine=tuple(card(visit, one, staff) for one in mine),
        others=tuple(_waiting_card(visit, one, staff, persons(me, can[one.agent_id])) for one in others),
        questions=tuple(_question(visit, one, staff) for one in await uncertain(session, by=me)),
        trials=tuple(
            TrialOver(employee(visit, staff[agent_id]), f"/employees/{agent_id}/trial", at)
            for agent_id, _, at in await trials_over(session, by=me)
        ),
        notes=tuple(_note(visit, one, staff) for one in await notes_since(session, since, by=me, most=LINES)),
        done=tuple(await _done(visit, done, staff)),
        stopped=tuple(_stopped(visit, one, staff) for one in await stopped_since(session, since, by=me, most=LINES)),
        more=more,
        more_url=f"/inbox?skip={skip + CARDS}" if more else "",
        first_employee=next((employee(visit, one) for one in staff.values() if not one.paused), None),
    )


def card(visit: Visit, asked: Asked, staff: dict[UUID, Record]) -> Card:
    """A waiting request."""
    return Card(
        id=str(asked.id),
        url=f"/requests/{asked.id}",
        employee=employee(visit, staff[asked.agent_id]),
        title=title(visit.speech, asked.tool, asked.arguments),
        about=asked.title,
        why=asked.why,
        outside=asked.outside,
        asked_at=asked.asked_at,
        expires_at=asked.expires_at,
        kind=picture(asked.tool, asked.arguments),
        urgent=is_urgent(asked.expires_at),
    )


def _waiting_card(visit: Visit, asked: Asked, staff: dict[UUID, Record], can: tuple[Person, ...]) -> Card:
    return replace(card(visit, asked, staff), waits_for=can)


def _question(visit: Visit, deed: Deed, staff: dict[UUID, Record]) -> Question:
    say = visit.speech.say
    refund = picture(deed.tool, deed.arguments) == "refund"
    return Question(
        id=str(deed.id),
        url=f"/tasks/{deed.run_id}",
        settle_url=f"/calls/{deed.id}/settle",
        employee=employee(visit, staff[deed.agent_id]),
        title=title(visit.speech, deed.tool, deed.arguments),
        what=say("It was begun, and the other side did not say whether it was done."),
        where_to_look=say("Look at the order in the shop.") if refund else say("Look whether it arrived."),
        since=deed.at,
        can_settle=visit.member.may_for(Permission.DECIDE, deed.agent_id),
        can_do_it=deed.waits,
    )


def _note(visit: Visit, said: Said, staff: dict[UUID, Record]) -> Note:
    url = f"/conversations/{said.conversation_id}"
    return Note(said.at, employee(visit, staff[said.agent_id]), said.text, said.outside, url)


async def _done(visit: Visit, deeds: Iterable[Deed], staff: dict[UUID, Record]) -> list[Done]:
    """One line for each task, with what was done in it in order; the task that did something last on top."""
    by_task: dict[UUID, list[Deed]] = {}
    for deed in deeds:
        if deed.tool not in TOLD_OTHERWISE:
            by_task.setdefault(deed.run_id, []).append(deed)
    newest = dict(list(by_task.items())[:LINES])
    titles = await titles_of_tasks(visit.session, newest)
    return [
        Done(
            at=done[0].at,
            employee=employee(visit, staff[done[0].agent_id]),
            title=titles[run_id],
            what=_in_a_row(title(visit.speech, deed.tool, deed.arguments) for deed in reversed(done)),
            url=f"/tasks/{run_id}",
        )
        for run_id, done in newest.items()
    ]


def _in_a_row(deeds: Iterable[str]) -> str:
    """ "Read the customer's mail, look up order MC-1042": the same thing once, however often it was done."""
    first, *others = dict.fromkeys(deeds)
    return ", ".join((first, *(other[:1].lower() + other[1:] for other in others)))


def _stopped(visit: Visit, task: Task, staff: dict[UUID, Record]) -> Stopped:
    why = visit.speech.say(ENDS[task.end]) if task.end else ""
    at = task.ended_at or task.made_at
    return Stopped(at, employee(visit, staff[task.agent_id]), task.title, why, f"/tasks/{task.id}")
