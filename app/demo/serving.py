"""How are the demo's small servers run? On this machine only, with nothing about their visitors in a log."""

import socket
from collections.abc import Mapping
from pathlib import Path

import uvicorn
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import HTMLResponse

HOST = "127.0.0.1"
# Against a page elsewhere that points its own name at this machine and reads what we show without a key.
ONLY_THIS_MACHINE = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
SAFE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def pages(folder: Path) -> Environment:
    """The templates of one small server, with everything escaped and nothing missing unnoticed."""
    return Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)


def show(templates: Environment, name: str, context: Mapping[str, object], *, status: int = 200) -> HTMLResponse:
    """A page without scripts, styled by its own file only."""
    return HTMLResponse(templates.get_template(name).render(context), status_code=status, headers=SAFE)


def listen(port: int) -> socket.socket:
    """A listening socket on this machine; with port 0 the system picks one, to be read from the socket."""
    return socket.create_server((HOST, port), backlog=256)


def make_server(app: Starlette) -> uvicorn.Server:
    """The HTTP server of an application; `await server.serve(sockets=[listen(port)])` until `server.should_exit`."""
    return uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=5))
