"""What is each employee for, what may it do alone, what does it ask?"""

from collections.abc import Iterable
from uuid import UUID

from app.approvals.queries import waiting_by_employee
from app.conversations.queries import Talk, talks_of
from app.employees.models import AgentStatus
from app.employees.queries import Employee as Record
from app.employees.queries import addresses_of, employees, get_sheet, matrix
from app.employees.templates import TEMPLATES
from app.identity.queries import managers_of
from app.identity.roles import Permission
from app.policy.decision import Mode
from app.policy.explain import Row
from app.runs.queries import Task, last_tasks, open_by_employee, spent_since
from app.tools.mail.tools import read_mail
from app.web.contexts.chrome import Field
from app.web.contexts.employees import (
    ConversationLine,
    EmployeeCard,
    EmployeePage,
    EmployeesPage,
)
from app.web.tell.abilities import in_a_list
from app.web.tell.first_steps import first_steps
from app.web.tell.grants import of_employee
from app.web.tell.people import employee, persons
from app.web.tell.task import state_of
from app.web.tell.trial import trial_line
from app.web.visit import Visit

CONVERSATIONS = 50
CURRENCY = "USD"


async def employees_page(visit: Visit) -> EmployeesPage:
    """Everybody who works here."""
    staff = [one for one in (await employees(visit.session)).values() if one.status is not AgentStatus.DISMISSED]
    waiting, working = await waiting_by_employee(visit.session), await open_by_employee(visit.session)
    cards = tuple([await _card(visit, one, waiting, working) for one in staff])
    return EmployeesPage(cards, can_hire=visit.member.may(Permission.HIRE))


async def employee_page(visit: Visit, record: Record, *, skip: int = 0, task: Field | None = None) -> EmployeePage:
    """One employee with the conversations that this person may read."""
    session, speech = visit.session, visit.speech
    waiting, working = await waiting_by_employee(session), await open_by_employee(session)
    talks = await talks_of(session, record.id, by=visit.member, most=CONVERSATIONS + 1, skip=skip)
    shown = talks[:CONVERSATIONS]
    talks_to_it = visit.member.may(Permission.TALK) and record.status is not AgentStatus.DISMISSED
    last = await last_tasks(session, [talk.id for talk in shown])
    return EmployeePage(
        card=await _card(visit, record, waiting, working),
        job_sheet_url=f"/employees/{record.id}/job-sheet",
        managers=persons(visit.member, await managers_of(session, record.id)),
        conversations=tuple(_line(visit, record, talk, last.get(talk.id)) for talk in shown),
        addresses=await addresses_of(session, record.id),
        reads_mail=(template := TEMPLATES.get(record.template)) is not None and read_mail.name in template.tools,
        spent=await spent_since(session, record.id, speech.month_start()),
        budget=None,
        currency=CURRENCY,
        can_give_task=talks_to_it,
        task=task or task_field(visit, record),
        first_steps=await first_steps(visit, record) if talks_to_it and not talks and not skip else None,
        trial=trial_line(visit, record),
        grants=await of_employee(visit, record),
        can_change=visit.member.may_for(Permission.CHANGE_JOB_SHEET, record.id),
        older_url=f"/employees/{record.id}?skip={skip + CONVERSATIONS}" if len(talks) > CONVERSATIONS else "",
    )


def task_field(visit: Visit, record: Record, *, value: str = "", error: str = "") -> Field:
    """Where a task is written."""
    label = visit.speech.say("A task for %(name)s", {"name": record.name})
    return Field("text", label, value, kind="long", error=error)


async def _card(visit: Visit, record: Record, waiting: dict[UUID, int], working: dict[UUID, int]) -> EmployeeCard:
    sheet = await get_sheet(visit.session, record)
    rows = matrix(record, sheet)
    return EmployeeCard(
        employee=employee(visit, record),
        url=f"/employees/{record.id}",
        purpose=str(sheet.words.get("mission", "")),
        alone=_may(visit, rows, Mode.DO),
        tells=_may(visit, rows, Mode.TELL),
        asks=_may(visit, rows, Mode.ASK),
        waiting=waiting.get(record.id, 0),
        working=working.get(record.id, 0),
    )


def _may(visit: Visit, rows: Iterable[Row], mode: Mode) -> tuple[str, ...]:
    return tuple(in_a_list(visit.speech, row.tool) for row in rows if row.start.mode is mode)


def _line(visit: Visit, record: Record, talk: Talk, last: Task | None) -> ConversationLine:
    state, tone = state_of(visit, record, last)
    return ConversationLine(f"/conversations/{talk.id}", talk.title, talk.changed_at, state, tone)
