"""How does somebody read the mails that the demo sent? On a page of this machine, as plain text."""

from pathlib import Path

from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from app.demo.mailbox.store import Mail, Mailbox
from app.demo.serving import ONLY_THIS_MACHINE, pages, show
from app.demo.words import choose_language, words

HERE = Path(__file__).parent
PAGES = pages(HERE)


def create_app(mailbox: Mailbox) -> Starlette:
    """The pages of this mailbox, and the same as JSON."""
    app = Starlette(
        routes=[
            Route("/", list_mails),
            Route("/mails/{number:int}", show_mail),
            Route("/api/mails", list_as_json),
            Route("/style.css", style),
        ],
        middleware=[ONLY_THIS_MACHINE],
    )
    app.state.mailbox = mailbox
    return app


def list_mails(request: Request) -> Response:
    return show(PAGES, "list.html", {"mails": _mailbox(request).mails(), **_language(request)})


def show_mail(request: Request) -> Response:
    number = request.path_params["number"]
    mail = _mailbox(request).mail(number) if number < 2**63 else None  # SQLite's largest
    return show(PAGES, "mail.html", {"mail": mail, **_language(request)}, status=200 if mail else 404)


def list_as_json(request: Request) -> Response:
    return JSONResponse({"mails": [_as_json(mail) for mail in _mailbox(request).mails()]})


def style(request: Request) -> Response:
    return FileResponse(HERE.parent / "style.css", media_type="text/css")


def _mailbox(request: Request) -> Mailbox:
    mailbox: Mailbox = request.app.state.mailbox
    return mailbox


def _language(request: Request) -> dict[str, object]:
    language = choose_language(request.headers.get("Accept-Language", ""))
    return {"language": language, "_": words(language)}


def _as_json(mail: Mail) -> dict[str, JsonValue]:
    return {
        "number": mail.number,
        "message_id": mail.message_id,
        "from": mail.sender,
        "to": mail.to,
        "recipients": list(mail.recipients),
        "subject": mail.subject,
        "body": mail.body,
        "received_at": mail.received_at,
        "times": mail.times,
    }
