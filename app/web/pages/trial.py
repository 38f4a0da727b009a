"""How did the trial of an employee go, and does it end or go on?"""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.employees.queries import Employee, get_decided_employee
from app.employees.trial import EndsInThePast, NotOnTrial, end_trial, extend_trial
from app.web.contexts.chrome import Flash
from app.web.contexts.trial import Until
from app.web.dependencies import ChangesJobSheet
from app.web.show import go_to, show
from app.web.tell.trial import NoSuchDay, chosen_day, trial_page, until_field
from app.web.visit import Visit

router = APIRouter()
Which = Annotated[Literal["day", "open"], Form()]
Day = Annotated[str, Form(max_length=100)]


@router.get("/employees/{agent_id}/trial", name="trial")
async def get_trial(visit: ChangesJobSheet, agent_id: UUID) -> Response:
    """What was asked during it, and what its end would change."""
    return await _page(visit, await get_decided_employee(visit.session, agent_id, by=visit.member))


@router.post("/employees/{agent_id}/trial/end", name="trial.end")
async def post_end(visit: ChangesJobSheet, agent_id: UUID) -> Response:
    """From its next task on the job sheet alone counts."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    await end_trial(visit.session, agent_id, by=visit.member)
    line = visit.speech.say("The trial of %(name)s has ended; the job sheet alone counts now.", {"name": record.name})
    return go_to(visit, f"/employees/{agent_id}", Flash(line))


@router.post("/employees/{agent_id}/trial/extend", name="trial.extend")
async def post_extend(visit: ChangesJobSheet, agent_id: UUID, until: Which, last_day: Day = "") -> Response:
    """Another last day, or until somebody says so."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    try:
        await extend_trial(visit.session, agent_id, chosen_day(until, last_day), by=visit.member)
    except (NoSuchDay, EndsInThePast) as error:
        field = until_field(visit, day=last_day, error=visit.speech.say(error.sentence))
        return await _page(visit, record, field, status=error.status)
    except NotOnTrial as error:
        return go_to(visit, f"/employees/{agent_id}", Flash(visit.speech.say(error.sentence), tone="wait"))
    line = visit.speech.say("The trial of %(name)s goes on.", {"name": record.name})
    return go_to(visit, f"/employees/{agent_id}", Flash(line))


async def _page(visit: Visit, record: Employee, choose: Until | None = None, *, status: int = 200) -> Response:
    page = await trial_page(visit, record, choose)
    return await show(visit, "trial/show.html", page, active="employees", status=status)
