"""How is an employee hired? Whom, how, and one last look; nothing is kept before the yes.

What was chosen travels in the forms, so every step works without a script, and going back loses nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.employees.templates import TEMPLATES
from app.employees.wish import Wish, WishInvalid, hire_wished, look
from app.errors import NotFound
from app.web.contexts.chrome import Flash
from app.web.dependencies import Hires, Operation
from app.web.show import go_to, show
from app.web.tell.hire import Chosen, choose_page, details_page, first_choice, sure_page
from app.web.tell.trial import NoSuchDay, chosen_day
from app.web.visit import Visit

router = APIRouter()
Text = Annotated[str, Form(max_length=100_000)]


@router.get("/employees/hire", name="hire")
async def get_hire(visit: Hires, template: str = "") -> Response:
    """Whom there is to choose; once one is chosen, what has to be said about it."""
    if not template:
        return await show(visit, "hire/choose.html", await choose_page(visit), active="employees")
    if template not in TEMPLATES:
        raise NotFound
    return await _details(visit, await first_choice(visit, template))


@router.post("/employees/hire", name="hire.post")
async def post_hire(
    visit: Hires,
    operation: Operation,
    template: Text,
    step: Annotated[Literal["back", "look", "hire"], Form()],
    name: Text = "",
    mission: Text = "",
    managers: Annotated[Sequence[str], Form()] = (),
    until: Annotated[Literal["day", "open"], Form()] = "day",
    last_day: Text = "",
) -> Response:
    """Back to the form, on to the last look, or the yes."""
    if template not in TEMPLATES:
        raise NotFound
    chosen = Chosen(template, name, mission.replace("\r\n", "\n"), tuple(managers), until, last_day)
    if step == "back":
        return await _details(visit, chosen)
    try:
        wish = _wish(chosen)
        if step == "look":
            matrix = await look(visit.session, wish, by=visit.member)
            return await show(visit, "hire/sure.html", await sure_page(visit, chosen, matrix), active="employees")
        agent_id = await hire_wished(
            visit.session, wish, by=visit.member, language=visit.speech.language, operation=operation
        )
    except WishInvalid as error:
        return await _details(visit, replace(chosen, errors=error.fields), status=error.status)
    line = visit.speech.say("%(name)s is hired, on trial.", {"name": wish.name.strip()})
    return go_to(visit, f"/employees/{agent_id}", Flash(line))


async def _details(visit: Visit, chosen: Chosen, *, status: int = 200) -> Response:
    page = await details_page(visit, chosen)
    return await show(visit, "hire/details.html", page, active="employees", status=status)


def _wish(chosen: Chosen) -> Wish:
    """What was written, as it is meant. Raises WishInvalid."""
    try:
        day = chosen_day(chosen.until, chosen.last_day or "")
    except NoSuchDay as error:
        raise WishInvalid({"last_day": error.sentence}) from None
    return Wish(chosen.template, chosen.name, chosen.mission, tuple(map(_id, chosen.managers)), day)


def _id(written: str) -> UUID:
    """Somebody's id; what is none is nobody's, and refused as such."""
    try:
        return UUID(written)
    except ValueError:
        return UUID(int=0)
