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
