"""Where does the practice model listen? The doors of the Messages API, and the doors for tests under `/practice`."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from app.model.practice import faults
from app.model.practice.answer import Answer, answer
from app.model.practice.faults import Fault, Faults
from app.model.practice.ledger import Ledger
from app.model.practice.refusal import Refusal, error_body
from app.model.practice.request import AnyPrompt, MessagesRequest, Prompt, parse
from app.model.practice.scenarios import reply_to
from app.model.practice.stream import events
from app.model.practice.tokens import PromptCache, count
from app.model.practice.validate import CONTEXT, check

LARGEST_BODY = 32_000_000  # bytes, as the real API
WRONG_KEY = "wrong-key"


class ConnectionCut(Exception):
    """Ordered by a test: the server ends the connection in the middle of the body."""


class PracticeModel:
    """The server's handlers and what they share: orders for faults, the bill, the prompt cache."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.ledger = Ledger()
        self.cache = PromptCache()

    async def messages(self, request: Request) -> Response:
        """`POST /v1/messages`."""
        request_id = f"req_{secrets.token_hex(12)}"
        try:
            return await self._answer(request, request_id)
        except Refusal as refusal:
            self.ledger.refused(refusal.status, refusal.message)
            return _refused(refusal, request_id)

    async def _answer(self, request: Request, request_id: str) -> Response:
        asked = await _read(request, MessagesRequest)
        reply = reply_to(asked)
        fault = _ordered_here(request.headers) or self.faults.take(has_calls=reply.has_calls)
        await asyncio.sleep(fault.silent_seconds)
        status = fault.status if asked.stream else fault.status or fault.error_in_stream
        if status is not None:
            self.ledger.refused(status, "ordered by a test")
            return _failed(fault, status, request_id)
        made = answer(reply, asked, self.cache.usage(asked))
        self.ledger.answered(made.usage)
        return _sent(fault.spoil(made), fault, request_id, as_stream=asked.stream)

    async def count_tokens(self, request: Request) -> Response:
        """`POST /v1/messages/count_tokens`."""
        request_id = f"req_{secrets.token_hex(12)}"
        try:
            prompt = await _read(request, Prompt)
        except Refusal as refusal:
            return _refused(refusal, request_id)
        return JSONResponse({"input_tokens": count(prompt)}, headers={"request-id": request_id})

    async def order_fault(self, request: Request) -> Response:
        """`POST /practice/faults`: the next answers go wrong."""
        try:
            self.faults.order(faults.parse(await request.body()))
        except Refusal as refusal:
            return JSONResponse({"error": refusal.message}, status_code=400)
        return JSONResponse({"ordered": True}, status_code=201)

    async def clear_faults(self, request: Request) -> Response:
        """`DELETE /practice/faults`: nothing goes wrong any more."""
        self.faults.clear()
        return Response(status_code=204)

    async def requests(self, request: Request) -> Response:
        """`GET /practice/requests`: counts and the bill."""
        return JSONResponse(self.ledger.as_json())

    async def clear_requests(self, request: Request) -> Response:
        """`DELETE /practice/requests`: counts start again."""
        self.ledger.clear()
        return Response(status_code=204)

    async def health(self, request: Request) -> Response:
        """`GET /healthz`."""
        return JSONResponse({"status": "ok", "practice": True})


def create_app() -> Starlette:
    """The practice model as an ASGI application with a bill of its own."""
    model = PracticeModel()
    return Starlette(
        routes=[
            Route("/v1/messages", model.messages, methods=["POST"]),
            Route("/v1/messages/count_tokens", model.count_tokens, methods=["POST"]),
            Route("/practice/faults", model.order_fault, methods=["POST"]),
            Route("/practice/faults", model.clear_faults, methods=["DELETE"]),
            Route("/practice/requests", model.requests, methods=["GET"]),
            Route("/practice/requests", model.clear_requests, methods=["DELETE"]),
            Route("/healthz", model.health, methods=["GET"]),
        ]
    )


def serve(host: str, port: int) -> None:
    """Listen until a signal ends the process. Quiet: what a model was asked is nobody's log line."""
    uvicorn.run(create_app(), host=host, port=port, log_level="critical", timeout_graceful_shutdown=1)


async def _read(request: Request, shape: type[AnyPrompt]) -> AnyPrompt:
    """The request of somebody with a key, as the real API would take it."""
    _check_key(request.headers)
    if "anthropic-version" not in request.headers:
        raise Refusal("anthropic-version: header is required")
    if int(request.headers.get("content-length", 0)) > LARGEST_BODY:
        raise Refusal("Request exceeds the maximum size", 413)
    prompt = parse(await request.body(), shape)
    check(prompt)
    length = count(prompt)
    if length > CONTEXT:
        raise Refusal(f"prompt is too long: {length} tokens > {CONTEXT} maximum")
    return prompt


def _check_key(headers: Mapping[str, str]) -> None:
    bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
    key = headers.get("x-api-key", "").strip() or bearer
    if not key:
        raise Refusal("x-api-key header is required", 401)
    if key == WRONG_KEY:
        raise Refusal("invalid x-api-key", 401)


def _ordered_here(headers: Mapping[str, str]) -> Fault | None:
    order = headers.get("x-practice-fault")
    return faults.parse(order.encode()) if order else None


def _refused(refusal: Refusal, request_id: str) -> Response:
    body = error_body(refusal.status, refusal.message, request_id)
    return JSONResponse(body, refusal.status, headers={"request-id": request_id})


def _failed(fault: Fault, status: int, request_id: str) -> Response:
    headers = {"request-id": request_id}
    if fault.retry_after is not None:
        headers["retry-after"] = fault.retry_after
    return JSONResponse(error_body(status, "The practice model was told to fail.", request_id), status, headers=headers)


def _sent(made: Answer, fault: Fault, request_id: str, *, as_stream: bool) -> Response:
    headers = {"request-id": request_id}
    if as_stream:
        parts = _cut(events(made, fault.error_in_stream), fault.cut_after_bytes)
        return StreamingResponse(parts, media_type="text/event-stream", headers=headers)
    body = json.dumps(made.as_json(), ensure_ascii=False).encode()
    headers["content-length"] = str(len(body))
    return StreamingResponse(_cut([body], fault.cut_after_bytes), media_type="application/json", headers=headers)


async def _cut(parts: Iterable[bytes], after: int | None) -> AsyncIterator[bytes]:
    """The parts, up to the byte where a test wants the connection to break."""
    sent = 0
    for part in parts:
        if after is not None and sent + len(part) > after:
            yield part[: after - sent]
            await asyncio.sleep(0)
            raise ConnectionCut
        sent += len(part)
        yield part
