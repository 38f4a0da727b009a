"""How does an administrator connect a service, try it, replace what was entered, and remove it?"""

from fastapi import APIRouter
from starlette.responses import Response

from app.connections.enter import EntryInvalid, enter, remove
from app.connections.try_out import try_out
from app.web.contexts.chrome import Flash
from app.web.dependencies import Connects, Operation, TriesConnections
from app.web.show import go_to, show
from app.web.tell.connections import connections_page, form_page, removal_page, title_of

router = APIRouter()


@router.get("/connections", name="connections")
async def get_connections(visit: Connects) -> Response:
    """Everything that can be connected."""
    return await show(visit, "connections/list.html", await connections_page(visit), active="connections")


@router.get("/connections/{connector}", name="connection")
async def get_form(visit: Connects, connector: str) -> Response:
    """What has to be entered."""
    return await show(visit, "connections/form.html", await form_page(visit, connector), active="connections")


@router.post("/connections/{connector}", name="connection.enter")
async def post_form(visit: Connects, connector: str, operation: Operation) -> Response:
    """Enter or replace it."""
    sent = await visit.request.form()
    values = {name: value for name, value in sent.items() if isinstance(value, str)}
    title = await title_of(visit, connector)
    try:
        async with visit.session.begin_nested():  # a refused entry is undone whole; the form is still shown
            await enter(visit.session, connector, values, by=visit.member, operation=operation)
    except EntryInvalid as error:
        page = await form_page(visit, connector, values, error.fields)
        return await show(visit, "connections/form.html", page, active="connections", status=error.status)
    line = visit.speech.say("Entered: %(service)s. Now try whether it works.", {"service": title})
    return go_to(visit, "/connections", Flash(line))


@router.post("/connections/{connector}/try", name="connection.try")
async def post_try(errand: TriesConnections, connector: str) -> Response:
    """Ask the service whether it takes what was entered."""
    tried = await try_out(errand.house.database, errand.house.http, connector, by=errand.member)
    say = errand.speech.say
    line = say("It works: the service answered and takes what was entered.") if tried.works else say(tried.why)
    return go_to(errand, "/connections", Flash(line, tone="good" if tried.works else "bad"))


@router.get("/connections/{connector}/remove", name="connection.removal")
async def get_removal(visit: Connects, connector: str) -> Response:
    """What stops working then?"""
    return await show(visit, "connections/remove.html", await removal_page(visit, connector), active="connections")


@router.post("/connections/{connector}/remove", name="connection.remove")
async def post_removal(visit: Connects, connector: str) -> Response:
    """Remove it."""
    title = await title_of(visit, connector)
    await remove(visit.session, connector, by=visit.member)
    return go_to(visit, "/connections", Flash(visit.speech.say("Removed: %(service)s.", {"service": title})))
