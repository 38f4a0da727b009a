"""How does a page come about? Its own value and the frame around it, in the reader's language."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.approvals.queries import count_waiting
from app.identity.roles import Permission
from app.language.catalogue import LANGUAGES
from app.language.speech import N_, Speech
from app.language.templates import render
from app.web.contexts.chrome import Active, Choice, Chrome, Flash, Person
from app.web.cookies import FLASH, VISIT, clear_cookie, read_flash, set_cookie, set_flash, visit_of
from app.web.cross_site import form_token
from app.web.house import House
from app.web.visit import Errand, Visit, browser_language

PLACES = (
    ("abilities", N_("What employees can do"), Permission.SEE_EMPLOYEES),
    ("limits", N_("What no employee may do"), Permission.COMPANY_SETTINGS),
    ("connections", N_("Connections"), Permission.COMPANY_SETTINGS),
    ("services", N_("Services of others"), Permission.TOOL_SERVERS),
)


async def show(visit: Visit, template: str, page: object, *, active: Active = "", status: int = 200) -> Response:
    """A page for somebody who is signed in."""
    flash = read_flash(visit.request, visit.house.settings)
    chrome = await chrome_of(visit, active=active, flash=flash)
    body = render(visit.house.templates, template, visit.speech, {"chrome": chrome, "page": page})
    response = HTMLResponse(body, status_code=status)
    # The live script reads the same page without showing its lines: they are for the person's own next look.
    if flash is not None and visit.request.headers.get("x-requested-with") != "live":
        clear_cookie(response, visit.house.settings, FLASH)
    return response


async def chrome_of(visit: Visit, *, active: Active = "", flash: Flash | None = None, path: str = "") -> Chrome:
    """The frame for somebody who is signed in."""
    settings = visit.house.settings
    return Chrome(
        language=visit.speech.language,
        languages=language_choices(visit.speech.language),
        csrf=form_token(settings.app_secret, visit.token),
        path=path or visit.path,
        company=visit.company.name,
        me=Person(visit.member.name, is_me=True),
        active=active,
        places=places(visit, active),
        waiting=await count_waiting(visit.session, by=visit.member),
        practice=visit.house.practice,
        mailbox=visit.house.mailbox,
        flash=flash,
        version=visit.house.version,
    )


def places(visit: Visit, active: Active = "") -> tuple[Choice, ...]:
    """What this person may look at or set up beside their own settings."""
    return tuple(
        Choice(f"/{name}", visit.speech.say(label), chosen=name == active)
        for name, label, permission in PLACES
        if visit.member.may(permission)
    )


def show_stranger(
    request: Request, house: House, template: str, page: object, *, status: int = 200, path: str = "/sign-in"
) -> Response:
    """A page for somebody who is not signed in; nothing of it comes from the database."""
    mark, fresh = visit_of(request, house.settings)
    speech = Speech(browser_language(request, house))
    chrome = Chrome(
        language=speech.language,
        languages=language_choices(speech.language),
        csrf=form_token(house.settings.app_secret, mark),
        path=path,
        practice=house.practice,
        flash=read_flash(request, house.settings),
        version=house.version,
    )
    response = HTMLResponse(render(house.templates, template, speech, {"chrome": chrome, "page": page}), status)
    if fresh:
        set_cookie(response, house.settings, VISIT, mark)
    return response


def language_choices(chosen: str) -> tuple[Choice, ...]:
    """The languages, each in its own word."""
    return tuple(Choice(code, name, chosen=code == chosen) for code, name in LANGUAGES.items())


def go_to(visit: Visit | Errand, path: str, flash: Flash | None = None) -> Response:
    """After a POST: on to a page, with one line on what happened."""
    response = RedirectResponse(own_path(path), status_code=303)
    if flash is not None:
        set_flash(response, visit.house.settings, flash)
    return response


def own_path(path: str) -> str:
    """A path of ours, or the inbox: a form's `next` must not lead to another site."""
    inside = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if inside else "/inbox"
