"""Who did what to what, and when? The journal as sentences, with people and employees by name."""

from collections.abc import Mapping
from urllib.parse import urlencode
from uuid import UUID

from app.audit.events import SENTENCES, Event
from app.audit.queries import Line, Wanted, lines
from app.employees.queries import Employee as Record
from app.employees.queries import employees
from app.identity.queries import names_of, people
from app.language.speech import N_
from app.web.contexts.chrome import Choice
from app.web.contexts.journal import JournalLine, JournalPage
from app.web.tell.abilities import in_a_list
from app.web.visit import Visit

LINES = 50
KINDS: dict[Event, str] = {
    Event.COMPANY_CREATED: N_("The company was set up"),
    Event.SIGNED_IN: N_("Signed in"),
    Event.SIGNED_OUT: N_("Signed out"),
    Event.EMPLOYEE_HIRED: N_("Hired"),
    Event.EMPLOYEE_REACHABLE: N_("Mail address given"),
    Event.EMPLOYEE_PAUSED: N_("Paused"),
    Event.EMPLOYEE_RESUMED: N_("Let go on"),
    Event.JOB_SHEET_CHANGED: N_("Job sheet changed"),
    Event.TRIAL_ENDED: N_("Trial ended"),
    Event.TASK_GIVEN: N_("Task given"),
    Event.MESSAGE_SAID: N_("Message"),
    Event.MAIL_ARRIVED: N_("Mail arrived"),
    Event.APPROVAL_ASKED: N_("Asked"),
    Event.APPROVAL_REMINDED: N_("Reminder"),
    Event.APPROVAL_APPROVED: N_("Approved"),
    Event.APPROVAL_CHANGED: N_("Approved with changes"),
    Event.APPROVAL_REJECTED: N_("Rejected"),
    Event.APPROVAL_EXPIRED: N_("Nobody answered"),
    Event.APPROVAL_WITHDRAWN: N_("No longer asked"),
    Event.CALL_DONE: N_("Done"),
    Event.CALL_FAILED: N_("Did not work"),
    Event.CALL_UNCERTAIN: N_("Not known whether it happened"),
    Event.CALL_SETTLED: N_("Said what happened"),
    Event.EXCEPTION_WITHDRAWN: N_("Exception withdrawn"),
    Event.TRIAL_EXTENDED: N_("Trial prolonged or cut short"),
    Event.TRIAL_OVER: N_("Trial at its end"),
    Event.GRANT_GIVEN: N_("“Always” given"),
    Event.GRANT_REVOKED: N_("“Always” taken back"),
    Event.CONNECTION_ENTERED: N_("Service connected"),
    Event.CONNECTION_REPLACED: N_("Key or address replaced"),
    Event.CONNECTION_REMOVED: N_("Service disconnected"),
    Event.LIMITS_CHANGED: N_("Limits of the company changed"),
    Event.CONNECTION_TRIED: N_("Connection tried"),
    Event.TOOL_SERVER_ADDED: N_("Service added"),
    Event.TOOL_SERVER_REFRESHED: N_("Service asked again"),
    Event.TOOL_SERVER_REVIEWED: N_("Service looked at"),
    Event.TOOL_SERVER_REMOVED: N_("Service removed"),
    Event.TOOL_KIND_CHANGED: N_("Kind of ability set"),
    Event.TOOL_HELD_BACK: N_("Ability held back"),
    Event.TASK_ENDED: N_("Task ended"),
    Event.TASK_CANCELLED: N_("Task ended by a person"),
}


async def journal_page(visit: Visit, wanted: Wanted) -> JournalPage:
    """One page of it, the newest line on top."""
    session, say = visit.session, visit.speech.say
    found = await lines(session, wanted, most=LINES + 1)
    more = len(found) > LINES
    shown = found[-LINES:] if wanted.after is not None else found[:LINES]
    staff = await employees(session)
    names = await names_of(session, [line.by_user for line in shown])
    newer = more if wanted.after is not None else wanted.before is not None
    older = (wanted.after is not None) or more
    return JournalPage(
        lines=tuple(_line(visit, line, staff, names) for line in shown),
        employees=_choices(say("all employees"), [(str(one.id), one.name) for one in staff.values()], wanted.employee),
        people=_choices(say("everybody"), [(str(key), name) for key, name in await people(session)], wanted.person),
        events=_choices(say("everything"), [(event.value, say(word)) for event, word in KINDS.items()], wanted.event),
        filtered=any((wanted.employee, wanted.person, wanted.event)),
        older_url=_url(wanted, before=shown[-1].position) if older and shown else "",
        newer_url=_url(wanted, after=shown[0].position) if newer and shown else "",
    )


def _line(visit: Visit, line: Line, staff: Mapping[UUID, Record], names: Mapping[UUID, str]) -> JournalLine:
    event = Event(line.event)
    return JournalLine(
        line.position, line.at, _sentence(visit, line, staff, names), visit.speech.say(KINDS[event]), _to(line)
    )


def _sentence(visit: Visit, line: Line, staff: Mapping[UUID, Record], names: Mapping[UUID, str]) -> str:
    say = visit.speech.say
    agent = staff.get(line.by_agent or line.agent_id or UUID(int=0))
    somebody = names.get(line.by_user, say("somebody who left")) if line.by_user else "Placet"
    facts = {
        "person": somebody,
        "employee": agent.name if agent else say("an employee"),
        "tool": in_a_list(visit.speech, str(line.facts.get("tool", ""))),
    }
    return say(SENTENCES[Event(line.event)], facts)


def _to(line: Line) -> str:
    """The page of what the line is about, where there is one."""
    match line.event.partition(".")[0]:
        case "approval" if line.about:
            return f"/requests/{line.about}"
        case "employee" | "trial" if line.agent_id:
            return f"/employees/{line.agent_id}"
        case "job_sheet" if line.agent_id:
            return f"/employees/{line.agent_id}/job-sheet"
        case _:
            return ""


def _choices(everything: str, found: list[tuple[str, str]], chosen: UUID | str | None) -> tuple[Choice, ...]:
    wanted = "" if chosen is None else str(chosen)
    first = Choice("", everything, chosen=not wanted)
    return (first, *(Choice(value, label, chosen=value == wanted) for value, label in found))


def _url(wanted: Wanted, *, before: int | None = None, after: int | None = None) -> str:
    query = {
        "employee": wanted.employee,
        "person": wanted.person,
        "event": wanted.event,
        "before": before,
        "after": after,
    }
    return f"/journal?{urlencode({name: str(value) for name, value in query.items() if value is not None})}"
