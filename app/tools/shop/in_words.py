"""How are the shop tools' effects told to people?"""

from collections.abc import Mapping

from pydantic import JsonValue

from app.policy.words import N_
from app.tools.tool import Effect


def lookup(arguments: Mapping[str, JsonValue]) -> Effect:
    """Looking up an order."""
    return Effect("read", N_("Look up order %(order)s"), {"order": str(arguments.get("order_number", ""))})


def search(arguments: Mapping[str, JsonValue]) -> Effect:
    """Searching the catalogue."""
    return Effect("read", N_("Search the catalogue for “%(query)s”"), {"query": str(arguments.get("query", ""))})


def refund(arguments: Mapping[str, JsonValue]) -> Effect:
    """Money back on one order."""
    facts = {name: str(arguments.get(name) or "") for name in ("amount", "order", "reason")}
    return Effect("refund", N_("Refund %(amount)s on order %(order)s"), {**facts, "currency": "EUR"})


def product(arguments: Mapping[str, JsonValue]) -> Effect:
    """Reading an article."""
    return Effect("read", N_("Read article %(sku)s"), {"sku": str(arguments.get("sku", ""))})


def product_text(arguments: Mapping[str, JsonValue]) -> Effect:
    """A new text on the shop's pages."""
    return Effect("arguments", N_("Write the text of article %(sku)s"), {"sku": str(arguments.get("sku", ""))})


def price(arguments: Mapping[str, JsonValue]) -> Effect:
    """What customers pay from now on."""
    facts = {name: str(arguments.get(name) or "") for name in ("sku", "price", "was")}
    return Effect("arguments", N_("Change the price of %(sku)s from %(was)s to %(price)s EUR"), facts)


def removal(arguments: Mapping[str, JsonValue]) -> Effect:
    """An article that is no longer sold."""
    return Effect("arguments", N_("Take article %(sku)s out of the catalogue"), {"sku": str(arguments.get("sku", ""))})
