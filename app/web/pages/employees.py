"""Who works here, what may each do, and how does one give it work, pause it and let it go on?"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form, Query
from starlette.responses import Response

from app.conversations.say import NothingSaid, give_task
from app.employees.pause import pause, resume
from app.employees.queries import get_decided_employee, get_employee
from app.web.contexts.chrome import Flash
from app.web.dependencies import Operation, Pauses, SeesEmployees, Talks
from app.web.show import go_to, show
from app.web.tell.employees import employee_page, employees_page, task_field
from app.web.tell.first_steps import sample_task
from app.web.tell.job_sheet import job_sheet_page

router = APIRouter()
Page = Annotated[int, Query(ge=0, le=100_000)]
Sample = Annotated[int | None, Query(ge=0, le=100)]
Text = Annotated[str, Form(max_length=100_000)]


@router.get("/employees", name="employees")
async def get_employees(visit: SeesEmployees) -> Response:
    """Everybody."""
    return await show(visit, "employees/list.html", await employees_page(visit), active="employees")


@router.get("/employees/{agent_id}", name="employee")
async def get_one(visit: SeesEmployees, agent_id: UUID, skip: Page = 0, sample: Sample = None) -> Response:
    """One of them; with `sample` a task to try is written already."""
    record = await get_employee(visit.session, agent_id)
    task = None if sample is None else task_field(visit, record, value=sample_task(visit, record, sample))
    page = await employee_page(visit, record, skip=skip, task=task)
    return await show(visit, "employees/show.html", page, active="employees")


@router.get("/employees/{agent_id}/job-sheet", name="job_sheet")
async def get_job_sheet(
    visit: SeesEmployees, agent_id: UUID, version: Annotated[int | None, Query(ge=1, le=1_000_000)] = None
) -> Response:
    """What it is for and may do."""
    record = await get_employee(visit.session, agent_id)
    page = await job_sheet_page(visit, record, version)
    return await show(visit, "employees/job_sheet.html", page, active="employees")


@router.post("/employees/{agent_id}/pause", name="employee.pause")
async def post_pause(visit: Pauses, agent_id: UUID, next: Annotated[str, Form()] = "/employees") -> Response:
    """Stop it: it takes no step until somebody lets it go on."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    await pause(visit.session, agent_id, by=visit.member)
    return go_to(visit, next, Flash(visit.speech.say("%(name)s is paused.", {"name": record.name}), tone="wait"))


@router.post("/employees/{agent_id}/resume", name="employee.resume")
async def post_resume(visit: Pauses, agent_id: UUID, next: Annotated[str, Form()] = "/employees") -> Response:
    """Let it go on."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    await resume(visit.session, agent_id, by=visit.member)
    return go_to(visit, next, Flash(visit.speech.say("%(name)s goes on.", {"name": record.name})))


@router.post("/employees/{agent_id}/tasks", name="employee.task")
async def post_task(visit: Talks, agent_id: UUID, operation: Operation, text: Text = "") -> Response:
    """Give it a task in words; its conversation opens."""
    record = await get_employee(visit.session, agent_id)
    try:
        conversation_id = await give_task(visit.session, agent_id, text, by=visit.member, operation=operation)
    except NothingSaid as error:
        field = task_field(visit, record, value=text, error=visit.speech.say(error.sentence))
        page = await employee_page(visit, record, task=field)
        return await show(visit, "employees/show.html", page, active="employees", status=error.status)
    line = visit.speech.say("%(name)s has your task.", {"name": record.name})
    return go_to(visit, f"/conversations/{conversation_id}", Flash(line))
