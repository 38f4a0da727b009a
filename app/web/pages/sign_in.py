"""How does one come in, and go out again?"""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.audit.events import Event
from app.audit.journal import record
from app.errors import PlacetError
from app.identity.models import Role
from app.identity.sessions import end_session, find_session
from app.identity.sign_in import Attempt, come_in, count_attempt, look_up, require_password
from app.language.speech import Speech
from app.language.words import ROLES
from app.web.contexts.chrome import Field
from app.web.contexts.house import DemoSignIn, SignInPage
from app.web.cookies import FLASH, SESSION, clear_cookie, read_cookie, set_cookie, visit_of
from app.web.cross_site import require_own_origin, require_token
from app.web.dependencies import OwnSettings
from app.web.house import House, house_of
from app.web.show import own_path, show_stranger
from app.web.visit import browser_language

router = APIRouter()


@router.get("/sign-in", name="sign_in")
async def get_sign_in(request: Request, next: str = "/inbox") -> Response:
    """The door."""
    return _door(request, next=next)


@router.post("/sign-in", name="sign_in.post")
async def post_sign_in(
    request: Request,
    email: Annotated[str, Form(max_length=320)],
    password: Annotated[str, Form(max_length=1000)],
    csrf: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/inbox",
) -> Response:
    """Come in: a fresh session, whatever cookie was there before (RELIABILITY A11)."""
    house = house_of(request)
    require_own_origin(request, house.settings.public_url)
    require_token(house.settings.app_secret, visit_of(request, house.settings)[0], csrf)
    try:
        token = await _token(house, Attempt(email, password, request.client.host if request.client else ""))
    except PlacetError as error:
        return _door(request, next=next, email=email, error=error)
    await _end_old(house, read_cookie(request, house.settings, SESSION))
    response = RedirectResponse(own_path(next), status_code=303)
    set_cookie(response, house.settings, SESSION, token)
    clear_cookie(response, house.settings, FLASH)
    return response


@router.post("/sign-out", name="sign_out")
async def post_sign_out(visit: OwnSettings) -> Response:
    """Go out: this browser's session ends with the commit."""
    await end_session(visit.session, visit.signed_in.id)
    await record(visit.session, Event.SIGNED_OUT, by=visit.member.user_id)
    response = RedirectResponse("/sign-in", status_code=303)
    clear_cookie(response, visit.house.settings, SESSION)
    return response


async def _token(house: House, attempt: Attempt) -> str:
    """Count, look up, compare, come in. Between the transactions the password is hashed, which takes its time."""
    async with house.database.unbound() as session:
        await count_attempt(session, attempt, house.settings.app_secret)
    async with house.database.unbound() as session:
        known = await look_up(session, attempt)
    user_id, tenant_id = await require_password(known, attempt)
    async with house.database.unbound() as session:
        return await come_in(session, user_id, tenant_id)


async def _end_old(house: House, token: str) -> None:
    """Somebody who comes in again, or somebody else at the same browser: the old token opens nothing any more."""
    async with house.database.unbound() as session:
        if token and (old := await find_session(session, token)) is not None:
            await end_session(session, old.id)


def _door(request: Request, *, next: str, email: str = "", error: PlacetError | None = None) -> Response:
    house = house_of(request)
    speech = Speech(browser_language(request, house))
    page = SignInPage(
        email=Field("email", speech.say("E-mail address"), email, kind="email"),
        password=Field("password", speech.say("Password"), kind="password"),
        next=own_path(next),
        error=speech.say(error.sentence) if error else "",
        demo=_demo(house, speech),
    )
    return show_stranger(request, house, "sign_in/show.html", page, status=error.status if error else 200)


def _demo(house: House, speech: Speech) -> tuple[DemoSignIn, ...]:
    """In the demo the people of the demo company, with their passwords: there is nothing to protect."""
    if not house.settings.demo:
        return ()
    from app.demo.people import PEOPLE  # only the demo knows them

    return tuple(DemoSignIn(who.name, speech.say(ROLES[Role(who.role)]), who.email, who.password) for who in PEOPLE)
