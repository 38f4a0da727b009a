"""What do the shop's results say? An order and products, found wherever they stand in a result."""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from pydantic import JsonValue

from app.model.practice.scenarios.words import money, words
from app.model.practice.talk import find, find_text

_EXPECTED = re.compile(r"expected on (?P<day>\d{4}-\d{2}-\d{2})")
_SHARES = re.compile(r"(?P<paid>\d+\.\d{2}) EUR paid.*?(?P<refunded>\d+\.\d{2}) EUR refunded", re.S)
_AT_MOST = re.compile(r"at most (?:EUR )?(?P<most>\d+(?:\.\d{1,2})?)", re.I)


def listed(data: JsonValue, key: str) -> list[JsonValue]:
    """The list under this key; empty if there is none."""
    found = find(data, key)
    return found if isinstance(found, list) else []


def decimal(text: str) -> Decimal:
    """An amount in a result; nothing readable is nothing."""
    try:
        return Decimal(text).quantize(Decimal("0.01"))
    except InvalidOperation:
        return Decimal("0.00")


def amount_of(data: JsonValue) -> Decimal | None:
    """How much was refunded, in the shop's figure; None if the result does not say."""
    told = (find_text(data, key) for key in ("amount", "refunded"))
    return next((decimal(text) for text in told if re.fullmatch(r"\d+(\.\d+)?", text)), None)


def left_to_refund_in(refusal: str) -> Decimal | None:
    """The most that can still be refunded, as far as the shop's refusal says it."""
    if found := _SHARES.search(refusal):
        return decimal(found["paid"]) - decimal(found["refunded"])
    found = _AT_MOST.search(refusal)
    return decimal(found["most"]) if found else None


@dataclass(frozen=True)
class Item:
    """One line of an order."""

    name: str
    quantity: int
    price: Decimal


@dataclass(frozen=True)
class Order:
    """An order as the shop told it."""

    number: str
    customer: str
    status: str
    ordered_on: str
    items: tuple[Item, ...]
    left_to_refund: Decimal
    currency: str
    tracking: str  # the carrier and its number
    expected_on: str

    def item_meant(self, text: str) -> Item | None:
        """The item whose name shares most words with what the customer wrote; the first if none does."""
        said = set(re.findall(r"\w{3,}", text.lower()))
        shared = [(len(said & set(re.findall(r"\w{3,}", item.name.lower()))), item) for item in self.items]
        return max(shared, key=lambda pair: pair[0])[1] if shared else None


def order_from(data: JsonValue) -> Order:
    """The order in a result of `lookup_order`."""
    items = tuple(
        Item(
            name=find_text(line, "name", "product"),
            quantity=int(decimal(find_text(line, "quantity") or "1")),
            price=decimal(find_text(line, "unit_price", "price")),
        )
        for line in listed(data, "items")
    )
    tracking = find_text(data, "tracking")
    expected = _EXPECTED.search(tracking)
    return Order(
        number=find_text(data, "order", "order_number", "number"),
        customer=find_text(data, "customer", "customer_name"),
        status=find_text(data, "status"),
        ordered_on=find_text(data, "ordered_on", "date"),
        items=items,
        left_to_refund=decimal(find_text(data, "paid")) - decimal(find_text(data, "refunded") or "0"),
        currency=find_text(data, "currency") or "EUR",
        tracking=tracking.partition(",")[0].strip(),
        expected_on=expected["day"] if expected else "",
    )


def product_lines(spoken: str, data: JsonValue) -> list[str]:
    """Each product of a search with its price and stock."""
    lines = []
    for product in listed(data, "products"):
        stock = find_text(product, "stock")
        there = words(spoken, "in_stock", stock=stock) if stock not in ("", "0") else words(spoken, "out_of_stock")
        price = money(spoken, find_text(product, "price"), find_text(product, "currency") or "EUR")
        lines.append(words(spoken, "product", name=find_text(product, "name"), price=price, stock=there))
    return lines
