"""In which language and time zone does a person read us?"""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import available_timezones

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.identity.own_settings import choose_language, choose_zone
from app.language.catalogue import LANGUAGES
from app.language.choose import is_ours
from app.language.speech import Speech
from app.web.contexts.chrome import Choice, Field, Flash
from app.web.contexts.house import SettingsPage
from app.web.cookies import LANGUAGE, SESSION, read_cookie, set_cookie, visit_of
from app.web.cross_site import require_own_origin, require_token
from app.web.dependencies import OwnSettings
from app.web.house import house_of
from app.web.show import go_to, own_path, show
from app.web.visit import SignInFirst, arrive

router = APIRouter()
AREAS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@router.get("/settings", name="settings")
async def get_settings(visit: OwnSettings) -> Response:
    """What there is to choose."""
    speech = visit.speech
    languages = tuple(Choice(code, name, chosen=code == speech.language) for code, name in LANGUAGES.items())
    page = SettingsPage(
        language=Field("language", speech.say("Language"), speech.language, kind="choice", choices=languages),
        zone=Field("zone", speech.say("Time zone"), speech.zone, kind="choice", choices=_zones(speech.zone)),
        now=datetime.now(UTC),
    )
    return await show(visit, "settings/show.html", page, active="settings")


@router.post("/settings", name="settings.post")
async def post_settings(visit: OwnSettings, language: Annotated[str, Form()], zone: Annotated[str, Form()]) -> Response:
    """Keep what was chosen; the line that says so is in the new language."""
    await choose_language(visit.session, language, by=visit.member)
    await choose_zone(visit.session, zone, by=visit.member)
    response = go_to(visit, "/settings", Flash(Speech(language, zone).say("Your settings are saved.")))
    set_cookie(response, visit.house.settings, LANGUAGE, language)
    return response


@router.post("/language", name="language")
async def post_language(
    request: Request,
    language: Annotated[str, Form()],
    csrf: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/inbox",
) -> Response:
    """Another language, for somebody signed in or not, and back to the same page."""
    house = house_of(request)
    require_own_origin(request, house.settings.public_url)
    mark = read_cookie(request, house.settings, SESSION) or visit_of(request, house.settings)[0]
    require_token(house.settings.app_secret, mark, csrf)
    with suppress(SignInFirst):  # then the cookie alone remembers it
        async with house.database.unbound() as session:
            await choose_language(session, language, by=(await arrive(request, session)).member)
    response = RedirectResponse(own_path(next), status_code=303)
    if is_ours(language):
        set_cookie(response, house.settings, LANGUAGE, language)
    return response


def _zones(chosen: str) -> tuple[Choice, ...]:
    """The zones that people know, by their place; the others stay valid but are not offered."""
    names = sorted(name for name in available_timezones() if name.split("/")[0] in AREAS or name in ("UTC", chosen))
    return tuple(Choice(name, name.replace("_", " "), chosen=name == chosen) for name in names)
