"""Which pages are there, and what is around all of them?"""

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.settings import Settings, require_secret
from app.web.errors import broke, install
from app.web.house import STATIC, House, make_house
from app.web.pages import (
    abilities,
    connections,
    conversations,
    employees,
    grants,
    health,
    hire,
    inbox,
    job_sheet_history,
    job_sheets,
    journal,
    limits,
    live,
    may,
    own_settings,
    requests,
    services,
    sign_in,
    styleguide,
    tasks,
    trial,
)
from app.web.security import SafeHeaders

log = logging.getLogger(__name__)
PAGES: tuple[APIRouter, ...] = (
    health.router,
    sign_in.router,
    inbox.router,
    requests.router,
    hire.router,  # before /employees/<id>
    employees.router,
    job_sheets.router,
    job_sheet_history.router,
    may.router,
    abilities.router,
    connections.router,
    limits.router,
    services.router,
    grants.router,
    trial.router,
    conversations.router,
    tasks.router,
    journal.router,
    live.router,
    own_settings.router,
)
LARGEST_BODY = 1_000_000  # bytes: a form with a long mail; nothing here takes files
A_YEAR = "public, max-age=31536000, immutable"  # the address of a static file changes with the files


def create_app(settings: Settings) -> FastAPI:
    """The web application of one process. Raises BadConfiguration without a secret."""
    require_secret(settings)
    app = FastAPI(
        title="Placet",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_living,
        max_body_size=LARGEST_BODY,
    )
    app.state.house = make_house(settings)
    for router in (*PAGES, styleguide.router) if settings.demo else PAGES:
        app.include_router(router)
    app.add_api_route("/", _home, name="home", include_in_schema=False)
    app.mount("/static", _Static(directory=STATIC), name="static")
    install(app)
    app.add_middleware(Unbroken)
    app.add_middleware(SafeHeaders, secure=settings.secure)
    app.add_middleware(AccessLog)
    return app


@asynccontextmanager
async def _living(app: FastAPI) -> AsyncIterator[None]:
    """What lives as long as the process."""
    house: House = app.state.house
    house.live.start()
    yield
    await house.live.stop()
    await house.database.close()


async def _home() -> Response:
    """The inbox is where one begins."""
    return RedirectResponse("/inbox", status_code=303)


class _Static(StaticFiles):
    def file_response(self, *args: object, **kwargs: object) -> Response:
        """A file that may be kept for long: pages name it with the version of its content."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came
        response.headers["Cache-Control"] = A_YEAR
        return response


class Unbroken:
    """The outermost handler: a bug in a page ends as a page with a reference, under the same headers as all others."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or say that it broke; an answer that has begun can only be cut off."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:  # one of the three places: a bug, told to whom it happened
            if begun:
                raise
            answer = await broke(Request(scope, receive), error)
            await answer(scope, receive, send)


class AccessLog:
    """One line per answer: which route, how it went, how long it took; never an address, a query or a body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, then say so."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            route = getattr(scope.get("route"), "path", "") or ("/static" if _static(scope) else "unknown")
            facts = {"method": Request(scope).method, "route": route, "status": status}
            log.info("answered", extra={**facts, "ms": round((time.monotonic() - began) * 1000)})


def _static(scope: Scope) -> bool:
    return str(scope["path"]).startswith("/static/")
