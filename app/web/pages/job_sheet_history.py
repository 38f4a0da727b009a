"""Which versions did a job sheet have, and how does one take an exception off it with one click?"""

from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from app.employees.queries import get_decided_employee, get_employee
from app.employees.revise import withdraw_exception
from app.employees.versions import history
from app.web.contexts.chrome import Flash
from app.web.dependencies import ChangesJobSheet, SeesEmployees
from app.web.show import go_to, show
from app.web.tell.sheet_history import history_page

router = APIRouter()


@router.get("/employees/{agent_id}/job-sheet/history", name="job_sheet.history")
async def get_history(visit: SeesEmployees, agent_id: UUID) -> Response:
    """Who changed what, and when."""
    record = await get_employee(visit.session, agent_id)
    steps = await history(visit.session, agent_id, by=visit.member)
    return await show(visit, "job_sheets/history.html", await history_page(visit, record, steps), active="employees")


@router.post("/employees/{agent_id}/exceptions/{exception_id}/withdraw", name="exception.withdraw")
async def post_withdraw(visit: ChangesJobSheet, agent_id: UUID, exception_id: str) -> Response:
    """The sentence counts no longer, from the next decision on."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    await withdraw_exception(visit.session, agent_id, exception_id, by=visit.member)
    line = visit.speech.say("The exception is withdrawn: %(name)s asks again.", {"name": record.name})
    return go_to(visit, f"/employees/{agent_id}/job-sheet", Flash(line))
