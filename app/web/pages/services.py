"""How does an administrator add a service of others, look at what it offers, and remove it?"""

from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.connections.enter import EntryInvalid
from app.language.speech import Speech
from app.policy.decision import Kind
from app.tool_servers.add import ServerSilent, add, address_of, refresh, remove, replace_key
from app.tool_servers.listing import Found
from app.tool_servers.queries import ListedTool
from app.tool_servers.review import review
from app.web.contexts.chrome import Flash
from app.web.dependencies import AsksServices, Operation, Services
from app.web.show import go_to, show
from app.web.tell.services import add_page, find, is_safe, removal_page, service_page, services_page

router = APIRouter()
Text = Annotated[str, Form(max_length=10_000)]


@router.get("/services", name="services")
async def get_services(visit: Services) -> Response:
    """All of them."""
    return await show(visit, "services/list.html", await services_page(visit), active="services")


@router.get("/services/add", name="service.form")
async def get_form(visit: Services) -> Response:
    """What has to be entered."""
    return await show(visit, "services/add.html", add_page(visit), active="services")


@router.post("/services/add", name="service.add")
async def post_form(
    errand: AsksServices,
    operation: Operation,
    name: Text = "",
    address: Text = "",
    key: Text = "",
    program: Text = "",
) -> Response:
    """Ask it what it can do, and keep the list."""
    house, given = errand.house, {"name": name, "address": address, "program": program}
    try:
        place = address_of(program, address)
        added = await add(
            house.database, house.http, name=name, address=place, key=key, by=errand.member, operation=operation
        )
    except (EntryInvalid, ServerSilent) as error:
        wrong = error.fields if isinstance(error, EntryInvalid) else {error.field: error.sentence}
        async with errand.visit() as visit:
            page = add_page(visit, given, wrong)
            return await show(visit, "services/add.html", page, active="services", status=error.status)
    line = errand.speech.say("Added: %(service)s. Now look at what it offers.", {"service": name.strip()})
    return go_to(errand, f"/services/{added}", Flash(line))


@router.get("/services/{service_id}", name="service")
async def get_service(visit: Services, service_id: UUID) -> Response:
    """One of them."""
    return await show(visit, "services/show.html", await service_page(visit, service_id), active="services")


@router.post("/services/{service_id}/refresh", name="service.refresh")
async def post_refresh(errand: AsksServices, operation: Operation, service_id: UUID) -> Response:
    """Ask it again."""
    here = f"/services/{service_id}"
    try:
        found = await refresh(
            errand.house.database, errand.house.http, service_id, by=errand.member, operation=operation
        )
    except ServerSilent as error:
        return go_to(errand, here, Flash(errand.speech.say(error.sentence), tone="bad"))
    return go_to(errand, here, Flash(_what_came(errand.speech, found), tone="wait" if found.changed else "good"))


@router.post("/services/{service_id}/review", name="service.review")
async def post_review(visit: Services, service_id: UUID, confirm: Annotated[str, Form()]) -> Response:
    """Confirm what was shown: one, those that only read, or all; with the kinds that were chosen."""
    form = await visit.request.form()
    server = await find(visit, service_id)
    chosen = [tool for tool in _meant(server.tools, confirm) if f"mark.{tool.id}" in form]
    seen = {tool.id: str(form[f"mark.{tool.id}"]) for tool in chosen}
    kinds = {tool.id: kind for tool in chosen if (kind := _kind(form.get(f"kind.{tool.id}"))) is not None}
    if confirm == "safe":  # as they are guessed: that is what makes them safe
        kinds = {}
    confirmed = await review(visit.session, service_id, seen, kinds, by=visit.member)
    line = visit.speech.count("%(number)s ability confirmed.", "%(number)s abilities confirmed.", confirmed)
    if others := len(seen) - confirmed:
        line += " " + visit.speech.count(
            "The service changed %(number)s while you looked; please look at it again.",
            "The service changed %(number)s while you looked; please look at them again.",
            others,
        )
    return go_to(visit, f"/services/{service_id}", Flash(line, tone="wait" if others else "good"))


@router.post("/services/{service_id}/key", name="service.key")
async def post_key(visit: Services, operation: Operation, service_id: UUID, key: Text = "") -> Response:
    """Another key for the same service."""
    try:
        async with visit.session.begin_nested():
            await replace_key(visit.session, visit.house.http, service_id, key, by=visit.member, operation=operation)
    except EntryInvalid as error:
        page = await service_page(visit, service_id, key_error=error.fields["key"])
        return await show(visit, "services/show.html", page, active="services", status=error.status)
    line = visit.speech.say("The new key is kept. Ask the service again to see whether it takes it.")
    return go_to(visit, f"/services/{service_id}", Flash(line))


@router.get("/services/{service_id}/remove", name="service.removal")
async def get_removal(visit: Services, service_id: UUID) -> Response:
    """What stops working then?"""
    return await show(visit, "connections/remove.html", await removal_page(visit, service_id), active="services")


@router.post("/services/{service_id}/remove", name="service.remove")
async def post_removal(visit: Services, operation: Operation, service_id: UUID) -> Response:
    """Remove it."""
    name = await remove(visit.session, service_id, by=visit.member, operation=operation)
    return go_to(visit, "/services", Flash(visit.speech.say("Removed: %(service)s.", {"service": name})))


def _meant(tools: Iterable[ListedTool], confirm: str) -> list[ListedTool]:
    open_ = [tool for tool in tools if not tool.gone]
    waiting = [tool for tool in open_ if tool.changed or not tool.reviewed]
    match confirm:
        case "all":
            return waiting
        case "safe":
            return [tool for tool in waiting if is_safe(tool)]
        case _:
            return [tool for tool in open_ if str(tool.id) == confirm]


def _kind(sent: object) -> Kind | None:
    return Kind(sent) if isinstance(sent, str) and sent in list(Kind) else None


def _what_came(speech: Speech, found: Found) -> str:
    if not (found.new or found.changed or found.gone):
        return speech.say("Nothing has changed.")
    facts = {"new": str(found.new), "changed": str(found.changed), "gone": str(found.gone)}
    return speech.say("New: %(new)s. Changed and held back: %(changed)s. No longer offered: %(gone)s.", facts)
