"""Does this request come from our own page? A token in the form, and the browser's word on its origin."""

import hmac
from urllib.parse import urlsplit

from starlette.requests import Request

from app.database.engine import derive
from app.errors import PlacetError


class NotFromOurPage(PlacetError):
    """This did not come from a page of ours, or the page was too old. Nothing was done; please try again."""

    status = 403


def form_token(app_secret: str, session_token: str) -> str:
    """The token that the forms of this session carry; it opens nothing by itself."""
    return hmac.new(derive(app_secret, "form tokens"), session_token.encode(), "sha256").hexdigest()


def require_own_origin(request: Request, public_url: str) -> None:
    """Raises NotFromOurPage where the browser says another site, or nothing, as browsers of today never do."""
    origin = request.headers.get("origin")
    if origin is None:
        if request.headers.get("sec-fetch-site") in ("same-origin", "none"):
            return
        raise NotFromOurPage
    if origin.rstrip("/") == _origin(public_url) or _is_our_host(origin, request):
        return
    raise NotFromOurPage


def require_token(app_secret: str, session_token: str, given: object) -> None:
    """Raises NotFromOurPage where the form's token is not this session's."""
    if not isinstance(given, str) or not session_token:
        raise NotFromOurPage
    if not hmac.compare_digest(form_token(app_secret, session_token).encode(), given.encode()):
        raise NotFromOurPage


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_our_host(origin: str, request: Request) -> bool:
    """The host that the browser itself addressed: a phone in the same network does not know PUBLIC_URL."""
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc != "" and parts.netloc == request.headers.get("host")
