"""May it do this? A table that answers, for one who asks about an employee."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.employees.queries import get_employee
from app.web.dependencies import SeesEmployees
from app.web.show import show
from app.web.tell.may import may_page

router = APIRouter()


@router.get("/employees/{agent_id}/may", name="employee.may")
async def get_may(visit: SeesEmployees, agent_id: UUID, about: Annotated[str, Query(max_length=300)] = "") -> Response:
    """Everything it can do, or what the question is about."""
    record = await get_employee(visit.session, agent_id)
    return await show(visit, "job_sheets/may.html", await may_page(visit, record, about), active="employees")
