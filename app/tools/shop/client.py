"""How does the shop answer? Its HTTP API, spoken through `ctx.http`; what is known is told apart from what is not."""

from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from app.errors import OutcomeUnknown, ToolError
from app.policy.words import N_
from app.tools.context import Context, Outgoing

Object = dict[str, JsonValue]
OUT_OF_REACH = "The shop does not answer at the moment. Nothing was changed. Try later, or tell your manager."


async def order(ctx: Context, number: str) -> Object | None:
    """One order, or None if there is none of that number."""
    status, answer = await _ask(ctx, "GET", f"/orders/{number}")
    return answer if status == 200 else None


async def orders_of(ctx: Context, email: str) -> list[Object]:
    """The orders of the customer with this address."""
    _, answer = await _ask(ctx, "GET", "/orders", params={"customer_email": email})
    return cast(list[Object], answer.get("orders", []))


async def products(ctx: Context, query: str, offset: int, limit: int) -> Object:
    """One page of products that fit the query."""
    _, answer = await _ask(ctx, "GET", "/products", params={"q": query, "offset": str(offset), "limit": str(limit)})
    return answer


async def product(ctx: Context, sku: str) -> Object | None:
    """One article, or None if there is none of that number."""
    status, answer = await _ask(ctx, "GET", f"/products/{sku}")
    return answer if status == 200 else None


async def change_product(ctx: Context, sku: str, change: Object) -> Object:
    """Change an article under this call's key. Raises ToolError (not changed) or OutcomeUnknown."""
    return _changed(*await _ask(ctx, "PATCH", f"/products/{sku}", json=change, key=ctx.idempotency_key))


async def remove_product(ctx: Context, sku: str) -> Object:
    """Take an article out of the catalogue. Raises ToolError (it is still there) or OutcomeUnknown."""
    return _changed(*await _ask(ctx, "DELETE", f"/products/{sku}", key=ctx.idempotency_key))


def _changed(status: int, answer: Object) -> Object:
    if status >= 500:
        raise OutcomeUnknown(f"the shop answered {status}")
    if status >= 400:
        raise ToolError(f"The shop refuses: {answer.get('message', answer.get('error', status))} Nothing was changed.")
    return answer


async def refund(ctx: Context, number: str, amount: str, reason: str) -> Object:
    """Book a refund under this call's key. Raises ToolError (not booked) or OutcomeUnknown."""
    body: JsonValue = {"amount": amount, "reason": reason}
    status, answer = await _ask(ctx, "POST", f"/orders/{number}/refunds", json=body, key=ctx.idempotency_key)
    if status == 409:
        raise ToolError(
            f"The shop refuses: {answer.get('asked', amount)} EUR asked, {answer.get('paid')} EUR paid in total, "
            f"{answer.get('refunded')} EUR refunded before. Nothing was booked."
        )
    if status >= 500:
        raise OutcomeUnknown(f"the shop answered {status}")
    if status >= 400:
        raise ToolError(f"The shop refuses the refund: {answer.get('error', status)}. Nothing was booked.")
    return answer


async def try_out(http: Outgoing, values: Mapping[str, str]) -> str | None:
    """Would the shop take these values? None if so, else the sentence for the admin."""
    headers = {"Authorization": f"Bearer {values['shop_key']}"}
    try:
        answer = await http.request("GET", f"{values['shop_url'].rstrip('/')}/products?limit=1", headers=headers)
    except ToolError:
        return N_("The shop cannot be reached at this address.")
    if answer.status_code in (401, 403):
        return N_("The shop does not accept this key.")
    return None if answer.status_code == 200 else N_("Something else than the shop answers at this address.")


async def _ask(
    ctx: Context,
    method: str,
    path: str,
    *,
    params: Mapping[str, str] | None = None,
    json: JsonValue = None,
    key: str | None = None,
) -> tuple[int, Object]:
    headers = {"Authorization": f"Bearer {ctx.secret('shop_key')}"}
    if key is not None:
        headers["Idempotency-Key"] = key
    answer = await ctx.http.request(
        method, ctx.secret("shop_url").rstrip("/") + path, headers=headers, params=params, json=json
    )
    if method == "GET" and answer.status_code >= 500:
        raise ToolError(OUT_OF_REACH)
    value = answer.json()
    return answer.status_code, value if isinstance(value, dict) else {}
