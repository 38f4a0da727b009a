"""What does a person read when something could not be done? One page for all, with what to do next.

A missing thing and another company's give the same bytes: nothing on the page depends on the address.
"""

import logging
import secrets
from dataclasses import dataclass
from urllib.parse import quote
from uuid import UUID

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.errors import NotFound, PlacetError
from app.identity.queries import deciders
from app.language.speech import N_, Speech
from app.language.templates import render
from app.web.contexts.chrome import Flash, Person
from app.web.contexts.house import ErrorPage
from app.web.cookies import set_flash
from app.web.house import house_of
from app.web.show import chrome_of, show_stranger
from app.web.visit import SignInFirst, Visit, arrive, browser_language

log = logging.getLogger(__name__)
TEMPLATE = "errors/error.html"
SECONDS_UNTIL_AGAIN = 5
GONE = "57"  # SQLSTATE class 57, operator intervention: the server is going down or was told to end our session


@dataclass(frozen=True)
class Words:
    """Title, and what to do."""

    title: str
    todo: str


BY_STATUS: dict[int, Words] = {
    403: Words(N_("You may not do this"), N_("Ask somebody who can.")),
    404: Words(N_("We cannot find this"), N_("Go to the inbox: everything can be reached from there.")),
    405: Words(N_("That is not possible here"), ""),
    409: Words(N_("Something changed meanwhile"), N_("Look at it again, then decide.")),
    413: Words(N_("This is too large"), N_("Make it shorter.")),
    422: Words(N_("Something does not fit"), N_("Go back and check what you wrote.")),
    429: Words(N_("Too many attempts"), N_("Wait a quarter of an hour, then try again.")),
    500: Words(N_("Something broke on our side"), N_("Try again. If it happens again, tell us the reference below.")),
    503: Words(N_("We will be right back"), N_("Wait a moment, then reload the page. Nothing is lost.")),
}
OTHERWISE = Words(N_("That did not work"), "")
BROKE = N_("It was not you. What you wanted to do was not done.")
AWAY = N_("Our records cannot be reached at the moment.")
UNKNOWN_FORM = N_("A field is missing or holds something that does not fit there.")
NOT_POSSIBLE = N_("That cannot be done on this page.")


def install(app: FastAPI) -> None:
    """One handler for each family."""
    app.exception_handler(SignInFirst)(_sign_in_first)
    app.exception_handler(PlacetError)(_placet)
    app.exception_handler(HTTPException)(_http)
    app.exception_handler(RequestValidationError)(_invalid)
    app.exception_handler(OperationalError)(_away)
    app.exception_handler(PoolExhausted)(_away)
    app.exception_handler(DBAPIError)(_database)


async def _sign_in_first(request: Request, _: Exception) -> Response:
    """To the door, and back to the page afterwards; what a form held is not sent again by itself."""
    if request.method == "GET":
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?next={quote(path, safe='/')}", status_code=303)
    house = house_of(request)
    response = RedirectResponse("/sign-in", status_code=303)
    speech = Speech(browser_language(request, house))
    sentence = speech.say("You were signed out meanwhile. Nothing was done; please sign in and try again.")
    set_flash(response, house.settings, Flash(sentence, tone="bad"))
    return response


async def _placet(request: Request, error: Exception) -> Response:
    assert isinstance(error, PlacetError)  # registered for it
    return await error_page(request, error.status, error.sentence, facts=dict(error.facts))


async def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return await error_page(request, status, NotFound().sentence if status == 404 else NOT_POSSIBLE)


async def _invalid(request: Request, error: Exception) -> Response:
    """An id that is no id is a thing that does not exist; a form that is not ours does not fit."""
    problems = error.errors() if isinstance(error, RequestValidationError) else ()
    if any(problem["loc"][0] == "path" for problem in problems):
        return await error_page(request, 404, NotFound().sentence)
    return await error_page(request, 422, UNKNOWN_FORM)


async def _away(request: Request, error: Exception) -> Response:
    log.warning("database_away", extra={"error": type(error).__name__})
    response = show_stranger(request, house_of(request), TEMPLATE, _page(_speech(request), 503, AWAY), status=503)
    response.headers["Retry-After"] = str(SECONDS_UNTIL_AGAIN)
    return response


async def _database(request: Request, error: Exception) -> Response:
    state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    gone = isinstance(error, DBAPIError) and (error.connection_invalidated or state.startswith(GONE))
    return await (_away if gone else broke)(request, error)


async def broke(request: Request, error: Exception) -> Response:
    """A bug: a reference that we find in the log, and nothing of the error itself."""
    reference = secrets.token_hex(4)
    log.error("page_broke", extra={"reference": reference, "path": _route(request)}, exc_info=error)
    page = _page(_speech(request), 500, BROKE, reference=reference)
    return show_stranger(request, house_of(request), TEMPLATE, page, status=500)


async def error_page(request: Request, status: int, sentence: str, *, facts: dict[str, str] | None = None) -> Response:
    """The page, within the frame of whoever is signed in; in a transaction of its own, since the other was undone."""
    house = house_of(request)
    async with house.database.unbound() as session:
        try:
            visit = await arrive(request, session)
        except SignInFirst:
            page = _page(_speech(request), status, sentence, facts)
            return show_stranger(request, house, TEMPLATE, page, status=status)
        who = await _who_can(visit, facts or {}) if status == 403 else ()
        page = _page(visit.speech, status, sentence, facts, who=who)
        chrome = await chrome_of(visit, path="/inbox")
        context = {"chrome": chrome, "page": page}
        body = render(house.templates, TEMPLATE, visit.speech, context, operations=False)
    return HTMLResponse(body, status_code=status)


async def _who_can(visit: Visit, facts: dict[str, str]) -> tuple[Person, ...]:
    agent_id = UUID(facts["agent"]) if "agent" in facts else None
    can = await deciders(visit.session, agent_id)
    return tuple(Person(name) for user_id, name in can if user_id != visit.member.user_id)


def _page(
    speech: Speech,
    status: int,
    sentence: str,
    facts: dict[str, str] | None = None,
    *,
    reference: str = "",
    who: tuple[Person, ...] = (),
) -> ErrorPage:
    words = BY_STATUS.get(status, OTHERWISE)
    said = speech.say(sentence, facts or None)
    return ErrorPage(status, speech.say(words.title), said, speech.say(words.todo), reference=reference, who=who)


def _speech(request: Request) -> Speech:
    return Speech(browser_language(request, house_of(request)))


def _route(request: Request) -> str:
    return getattr(request.scope.get("route"), "path", "")
