"""What does every answer forbid the browser, and which requests are turned away before a page sees them?

Nothing is loaded from elsewhere, no script or style stands in a page, no other site frames us or posts to us, and a
body that is too large is refused before it is read (RELIABILITY L2).
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 1_000_000  # bytes: a form with a long mail; nothing here takes files
YEAR = 31_536_000
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: under it a browser sends `Origin: null` with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class SafeHeaders:
    """Puts the headers on every answer; what a page says itself (Cache-Control) stands."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._headers = {**HEADERS, **({"Strict-Transport-Security": f"max-age={YEAR}"} if secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")  # pages are somebody's own
            await send(message)

        await self._app(scope, receive, with_headers)


class BodyTooLarge(Exception):
    """More came than a form can hold."""


class BodyLimit:
    """Refuses a body that says or shows that it is too large."""

    def __init__(self, app: ASGIApp, *, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413, or hand on what is small enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdigit() or int(said) > self._largest:
            await _refuse(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._largest:
                raise BodyTooLarge
            return message

        try:
            await self._app(scope, counted, send)
        except BodyTooLarge:
            await _refuse(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    answer = PlainTextResponse("This is too large.\n", status_code=413, headers={"Connection": "close"})
    await answer(scope, receive, send)
