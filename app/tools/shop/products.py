"""What can an employee do with the catalogue? Read an article; ask to change its text or its price; take it out."""

from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from pydantic import Field, JsonValue

from app.errors import ToolError
from app.policy.decision import Kind
from app.tools.context import Context
from app.tools.shop import client, in_words
from app.tools.tool import Leaves, Target, tool

Sku = Annotated[str, Field(pattern=r"^[A-Z0-9-]{1,40}$", description="The article's number, like CUP-BLUE."), Target]
Price = Annotated[Decimal, Field(max_digits=8, decimal_places=2)]
NO_ARTICLE = "There is no article {sku}. Search the catalogue for it; do not guess numbers."


@tool(kind=Kind.READ, in_words=in_words.product, open_to_strangers=True, uses_a_run=10)
async def read_product(ctx: Context, sku: Sku) -> JsonValue:
    """Reads one article of the catalogue: name, text, price in euros, stock. Use it before you propose any change of an
    article. It does not change anything."""
    found = await client.product(ctx, sku)
    if found is None:
        raise ToolError(NO_ARTICLE.format(sku=sku))
    return found


@tool(kind=Kind.DRAFT, in_words=in_words.product_text, remembers_key_for=timedelta(hours=24))
async def update_product(
    ctx: Context,
    sku: Sku,
    description: Annotated[
        str, Field(min_length=1, max_length=1000, description="The whole new text of the article."), Leaves
    ],
    name: Annotated[str, Field(max_length=80, description="A new name; empty to leave it as it is."), Leaves] = "",
) -> JsonValue:
    """Writes the text of an article, and its name where a new one is given. Use it when the text is wrong, poor or
    asked for; read the article first and say nothing that you cannot know. It does not change prices or stock."""
    change: dict[str, JsonValue] = {"description": description, **({"name": name} if name.strip() else {})}
    return await client.change_product(ctx, sku, change)


@tool(kind=Kind.ACT, in_words=in_words.price, remembers_key_for=timedelta(hours=24))
async def update_price(
    ctx: Context,
    sku: Sku,
    price: Annotated[
        Decimal, Field(gt=0, max_digits=8, decimal_places=2, description="The new price, in euros: 27.00.")
    ],
    was: Annotated[Decimal, Field(ge=0, max_digits=8, decimal_places=2, description="The price that you read before.")],
) -> JsonValue:
    """Changes the price that customers pay for an article. Use it only for a price that a person of the company named;
    read the article first and give the price that it has now. It does not work if somebody changed the price meanwhile,
    and it does not touch orders that were placed."""
    return await client.change_product(ctx, sku, {"price": f"{price:.2f}", "was": f"{was:.2f}"})


@tool(kind=Kind.DELETE, in_words=in_words.removal, remembers_key_for=timedelta(hours=24))
async def delete_product(ctx: Context, sku: Sku) -> JsonValue:
    """Takes an article out of the catalogue for good. Use it only where a person of the company asked for exactly that.
    It does not touch orders that were placed, and nothing brings the article back."""
    return await client.remove_product(ctx, sku)
