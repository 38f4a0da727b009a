"""How does an administrator say what no employee of the company may do, whatever its job sheet says?"""

from fastapi import APIRouter
from starlette.responses import Response

from app.employees.company_limits import FLOORS, FloorInvalid, floors_of, set_floors
from app.language.words import kind_word, mode_word
from app.policy.decision import Kind, Mode
from app.web.contexts.chrome import Choice, Field, Flash
from app.web.contexts.house import LimitsPage
from app.web.dependencies import Connects, Operation
from app.web.show import go_to, show
from app.web.visit import Visit

router = APIRouter()


@router.get("/limits", name="limits")
async def get_limits(visit: Connects) -> Response:
    """What holds now."""
    floors = await floors_of(visit.session)
    page = LimitsPage(tuple(_field(visit, kind, floors.get(kind)) for kind in FLOORS))
    return await show(visit, "limits/show.html", page, active="limits")


@router.post("/limits", name="limits.set")
async def post_limits(visit: Connects, operation: Operation) -> Response:
    """Let what was chosen hold from now on."""
    sent = await visit.request.form()
    chosen = {kind: str(sent.get(f"floors.{kind.value}") or "") for kind in FLOORS}
    await set_floors(visit.session, _read(chosen), by=visit.member, operation=operation)
    line = visit.speech.say("Saved. It holds for every employee from the next step on.")
    return go_to(visit, "/limits", Flash(line))


def _field(visit: Visit, kind: Kind, floor: Mode | None) -> Field:
    speech = visit.speech
    free = Choice("", speech.say("as each job sheet says"))
    choices = (free, *(Choice(mode.value, mode_word(speech, mode)) for mode in FLOORS[kind]))
    label = speech.say("Whatever %(kind)s", {"kind": kind_word(speech, kind)})
    return Field(f"floors.{kind.value}", label, floor.value if floor else "", kind="choice", choices=choices)


def _read(chosen: dict[Kind, str]) -> dict[Kind, Mode]:
    try:
        return {kind: Mode(mode) for kind, mode in chosen.items() if mode}
    except ValueError:
        raise FloorInvalid from None
