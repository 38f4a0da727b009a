"""What does the shop answer over HTTP? Its API (with a key) and one page for people (without)."""

import hmac
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from app.demo.one_file import open_file
from app.demo.serving import ONLY_THIS_MACHINE, pages, show
from app.demo.shop.answers import Answer
from app.demo.shop.changes import ProductChange, change, remove
from app.demo.shop.refunds import RefundRequest, book
from app.demo.shop.store import (
    CURRENCY,
    find_items,
    find_orders,
    find_product,
    find_products,
    find_refunds,
    money,
    prepare,
    product_as_json,
)
from app.demo.words import choose_language, words

HERE = Path(__file__).parent
PAGES = pages(HERE)
WITHOUT_KEY = ("/", "/style.css")
LONGEST_BODY = 10_000
LONGEST_KEY = 200
LONGEST_PAGE = 100

Shape = TypeVar("Shape", bound=BaseModel)


def create_app(database: Path, api_key: str) -> Starlette:
    """The shop on this SQLite file, filled with its orders if it is new."""
    prepare(database)
    app = Starlette(
        routes=[
            Route("/", show_page),
            Route("/style.css", style),
            Route("/orders", list_orders),
            Route("/orders/{number}", show_order),
            Route("/orders/{number}/refunds", list_refunds, methods=["GET"]),
            Route("/orders/{number}/refunds", post_refund, methods=["POST"]),
            Route("/products", list_products),
            Route("/products/{sku}", show_product, methods=["GET"]),
            Route("/products/{sku}", patch_product, methods=["PATCH"]),
            Route("/products/{sku}", delete_product, methods=["DELETE"]),
        ],
        middleware=[ONLY_THIS_MACHINE, Middleware(BaseHTTPMiddleware, dispatch=ask_for_key)],
        exception_handlers={HTTPException: tell_error, sqlite3.OperationalError: tell_busy},
    )
    app.state.database = database
    app.state.api_key = api_key
    return app


async def ask_for_key(request: Request, go_on: RequestResponseEndpoint) -> Response:
    """The API is for who holds the key; the page is for whoever sits at this machine."""
    expected = f"Bearer {request.app.state.api_key}".encode()
    given = request.headers.get("Authorization", "").encode()
    if request.url.path in WITHOUT_KEY or hmac.compare_digest(given, expected):
        return await go_on(request)
    return JSONResponse({"error": "key_invalid"}, status_code=401, headers={"WWW-Authenticate": "Bearer"})


async def tell_error(request: Request, error: Exception) -> Response:
    """Every error of the API is JSON with a word for it."""
    status, detail = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, "failed")
    return JSONResponse({"error": detail}, status_code=status)


async def tell_busy(request: Request, error: Exception) -> Response:
    """The write lock did not come in time: nothing was booked, and the same key may be sent again."""
    return JSONResponse({"error": "busy"}, status_code=503, headers={"Retry-After": "1"})


def show_order(request: Request) -> Response:
    with open_file(request.app.state.database) as connection:
        return JSONResponse(_order_as_json(connection, _find(connection, request)))


def list_orders(request: Request) -> Response:
    email = request.query_params.get("customer_email", "").strip()
    if not email:
        raise HTTPException(422, "customer_email_missing")
    with open_file(request.app.state.database) as connection:
        found = find_orders(connection, email=email)
        return JSONResponse({"orders": [_order_as_json(connection, order) for order in found]})


def list_refunds(request: Request) -> Response:
    with open_file(request.app.state.database) as connection:
        order = _find(connection, request)
        refunds = [
            {
                "refund": f"RF-{row['id']}",
                "amount": money(row["cents"]),
                "reason": row["reason"],
                "booked_at": row["booked_at"],
            }
            for row in find_refunds(connection, order["number"])
        ]
    totals = {"paid": money(order["paid"]), "refunded": money(order["refunded"]), "currency": CURRENCY}
    return JSONResponse({"order": order["number"], **totals, "refunds": refunds})


async def post_refund(request: Request) -> Response:
    key, asked = _key(request), await _asked(request, RefundRequest)
    if isinstance(asked, Response):
        return asked
    number = request.path_params["number"]
    return await run_in_threadpool(_told, request, lambda connection: book(connection, number, asked, key))


def list_products(request: Request) -> Response:
    offset = _number(request, "offset", default=0, most=1_000_000)
    limit = _number(request, "limit", default=20, most=LONGEST_PAGE)
    with open_file(request.app.state.database) as connection:
        page = find_products(connection, request.query_params.get("q", ""), offset=offset, limit=limit)
    products: list[JsonValue] = [dict(product_as_json(row)) for row in page.products]
    more = offset + len(products) if offset + len(products) < page.total and products else None
    return JSONResponse({"products": products, "total": page.total, "offset": offset, "next_offset": more})


def show_product(request: Request) -> Response:
    with open_file(request.app.state.database) as connection:
        found = find_product(connection, request.path_params["sku"])
    if found is None:
        raise HTTPException(404, "product_unknown")
    return JSONResponse(product_as_json(found))


async def patch_product(request: Request) -> Response:
    key, asked = _key(request), await _asked(request, ProductChange)
    if isinstance(asked, Response):
        return asked
    sku = request.path_params["sku"]
    return await run_in_threadpool(_told, request, lambda connection: change(connection, sku, asked, key))


async def delete_product(request: Request) -> Response:
    key, sku = _key(request), request.path_params["sku"]
    return await run_in_threadpool(_told, request, lambda connection: remove(connection, sku, key))


def show_page(request: Request) -> Response:
    language = choose_language(request.headers.get("Accept-Language", ""))
    with open_file(request.app.state.database) as connection:
        orders = [
            {
                "order": order,
                "items": find_items(connection, order["number"]),
                "refunds": find_refunds(connection, order["number"]),
            }
            for order in reversed(find_orders(connection))
        ]
    context = {"orders": orders, "money": money, "language": language, "_": words(language)}
    return show(PAGES, "page.html", context)


def style(request: Request) -> Response:
    return FileResponse(HERE.parent / "style.css", media_type="text/css")


def _key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "")
    if not 1 <= len(key) <= LONGEST_KEY:
        raise HTTPException(422, "idempotency_key_missing")
    return key


async def _asked(request: Request, shape: type[Shape]) -> Shape | Response:
    try:
        return shape.model_validate_json(await _body(request))
    except ValidationError as error:
        wrong: list[JsonValue] = [{"field": ".".join(map(str, e["loc"])), "message": e["msg"]} for e in error.errors()]
        return JSONResponse({"error": "request_invalid", "details": wrong}, status_code=422)


def _told(request: Request, decide: Callable[[sqlite3.Connection], Answer]) -> Response:
    with open_file(request.app.state.database) as connection:
        answer = decide(connection)
    headers = {"Idempotent-Replayed": "true"} if answer.again else {}
    return Response(answer.text, answer.status, headers, media_type="application/json")


def _find(connection: sqlite3.Connection, request: Request) -> sqlite3.Row:
    number = request.path_params["number"]
    found = find_orders(connection, number=number)
    if not found:
        raise HTTPException(404, "order_unknown")
    return found[0]


def _order_as_json(connection: sqlite3.Connection, order: sqlite3.Row) -> dict[str, JsonValue]:
    items = find_items(connection, order["number"])
    return {
        "order": order["number"],
        "customer": order["customer"],
        "customer_email": order["email"],
        "status": order["status"],
        "ordered_on": order["ordered_on"],
        "items": [{"name": i["name"], "quantity": i["quantity"], "unit_price": money(i["cents"])} for i in items],
        "paid": money(order["paid"]),
        "refunded": money(order["refunded"]),
        "currency": CURRENCY,
        "tracking": order["tracking"] or None,
        "customer_note": order["note"] or None,
    }


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            raise HTTPException(413, "body_too_long")
    return body


def _number(request: Request, name: str, *, default: int, most: int) -> int:
    text = request.query_params.get(name, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > len(str(most)) or int(text) > most:
        raise HTTPException(422, f"{name}_invalid")
    return int(text)
