"""What can an employee do in the shop? Look up an order of the customer it writes with, search, ask to refund."""

from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from app.errors import ToolError
from app.policy.decision import Kind
from app.tools.context import Context
from app.tools.shop import client, in_words
from app.tools.tool import Bound, Provenance, Target, tool

NOT_THEIRS = (
    "There is no order {number} for the address that this mail came from. Say nothing about other orders; "
    "ask for the order number and for a mail from the address used for the purchase."
)
SHOWN = (
    "order",
    "customer",
    "status",
    "ordered_on",
    "items",
    "paid",
    "refunded",
    "currency",
    "tracking",
    "customer_note",
)
PAGE = 10  # products


def _to_cents(amount: Decimal) -> Decimal:
    """One spelling of an amount: 24.5 and 2.45E+1 are shown, compared and sent as 24.50."""
    return amount.quantize(Decimal("0.01"))


@tool(kind=Kind.READ, in_words=in_words.lookup, provenance=Provenance.OUTSIDE)
async def lookup_order(
    ctx: Context,
    order_number: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9-]{1,40}$", description="The order's number, like MC-1042.")
    ],
    correspondent: Annotated[str, Bound("correspondent")],
) -> JsonValue:
    """Looks up an order of the customer whose mail this task is about: status, articles, what was paid and refunded,
    the parcel's number. Use it before you answer anything about an order. It does not show orders of other people
    and changes nothing."""
    found = await client.order(ctx, order_number)
    if found is None or str(found.get("customer_email", "")).casefold() != correspondent.casefold():
        raise ToolError(NOT_THEIRS.format(number=order_number))
    return {name: found.get(name) for name in SHOWN}


@tool(kind=Kind.READ, in_words=in_words.search, open_to_strangers=True, uses_a_run=10)
async def search_catalogue(
    ctx: Context,
    query: Annotated[str, Field(min_length=1, max_length=200, description="What to look for, in the shop's words.")],
    offset: Annotated[int, Field(ge=0, description="How many products to skip; 0 for the first page.")] = 0,
) -> JsonValue:
    """Searches the shop's catalogue: names, prices in euros, and how many are in stock. Use it for questions about
    products. It shows at most ten at a time and says how to get more; it does not reserve or change anything."""
    return await client.products(ctx, query, offset, PAGE)


@tool(kind=Kind.ACT, in_words=in_words.refund, remembers_key_for=timedelta(hours=24))
async def refund_order(
    ctx: Context,
    amount: Annotated[
        Decimal,
        Field(gt=0, max_digits=10, decimal_places=2, description="How much, in euros: 24.50."),
        AfterValidator(_to_cents),
    ],
    reason: Annotated[str, Field(min_length=1, max_length=500, description="Why, for the shop's books.")],
    order: Annotated[str, Bound("order"), Target],
) -> JsonValue:
    """Pays money back on the order that this task is about. Use it when the customer has a right to it; usually a
    person decides first. It does not work for any other order, and the shop refuses more than was paid in total."""
    booked = await client.refund(ctx, order, f"{amount:.2f}", reason)
    return {"refunded": f"{amount:.2f}", "order": order, "refunded_in_total": booked.get("refunded")}
