"""Which cookies are there? The session, a mark before sign-in, one line about the last deed, a language.

`__Host-` where people reach us over https: no other host and no plain http can set it (RELIABILITY A11).
"""

import base64
import hmac
import json
import secrets
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from app.database.engine import derive
from app.language.choose import is_ours
from app.settings import Settings
from app.web.contexts.chrome import Flash

SESSION, VISIT, FLASH, LANGUAGE = "placet", "placet-visit", "placet-flash", "placet-language"
LASTS = {SESSION: timedelta(days=30), LANGUAGE: timedelta(days=365), VISIT: timedelta(days=1)}
LASTS[FLASH] = timedelta(minutes=1)
LONGEST_FLASH = 3000  # a browser drops a cookie above 4096


def read_cookie(request: Request, settings: Settings, name: str) -> str:
    """What the browser brought, or nothing."""
    return request.cookies.get(_name(settings, name), "")


def set_cookie(response: Response, settings: Settings, name: str, value: str) -> None:
    """Give the browser something to bring back, out of reach of scripts."""
    response.set_cookie(
        _name(settings, name),
        value,
        max_age=int(LASTS[name].total_seconds()),
        path="/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )


def clear_cookie(response: Response, settings: Settings, name: str) -> None:
    """Take it away again."""
    response.delete_cookie(_name(settings, name), path="/", secure=settings.secure, httponly=True, samesite="lax")


def visit_of(request: Request, settings: Settings) -> tuple[str, bool]:
    """The mark of a browser that has no session yet, and whether it is fresh: the sign-in form's token hangs on it."""
    mark = read_cookie(request, settings, VISIT)
    return (mark, False) if len(mark) >= 32 else (secrets.token_urlsafe(32), True)


def chosen_language(request: Request, settings: Settings) -> str | None:
    """The language that somebody chose before signing in."""
    language = read_cookie(request, settings, LANGUAGE)
    return language if is_ours(language) else None


def set_flash(response: Response, settings: Settings, flash: Flash) -> None:
    """One line for the next page, signed, so that nobody else can put words into our mouth."""
    line = json.dumps([flash.sentence, flash.tone, flash.url, flash.url_text, flash.follow])
    body = base64.urlsafe_b64encode(line.encode()).decode()
    if len(body) <= LONGEST_FLASH:
        set_cookie(response, settings, FLASH, f"{_signature(settings, body)}.{body}")


def read_flash(request: Request, settings: Settings) -> Flash | None:
    """The line for this page; what is not ours is nothing."""
    signature, _, body = read_cookie(request, settings, FLASH).partition(".")
    if not body or not hmac.compare_digest(signature.encode(), _signature(settings, body).encode()):
        return None
    return Flash(*json.loads(base64.urlsafe_b64decode(body)))


def _signature(settings: Settings, body: str) -> str:
    return hmac.new(derive(settings.app_secret, "flash"), body.encode(), "sha256").hexdigest()


def _name(settings: Settings, name: str) -> str:
    return f"__Host-{name}" if settings.secure else name
