"""How is one named value told: an amount with its currency, a day as a day, a word of the shop in the reader's?"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation

from pydantic import JsonValue

from app.language.speech import N_, Speech

CURRENCY = "EUR"
LABELS: Mapping[str, str] = {
    "to": N_("To"),
    "subject": N_("Subject"),
    "body": N_("Text"),
    "amount": N_("Amount"),
    "reason": N_("Reason"),
    "order": N_("Order"),
    "order_number": N_("Order"),
    "query": N_("Looked for"),
    "offset": N_("Starting from"),
    "next_offset": N_("More from"),
    "total": N_("Found in total"),
    "note": N_("Note"),
    "mail": N_("Mail"),
    "in_reply_to": N_("In reply to"),
    "correspondent": N_("Customer"),
    "customer": N_("Customer"),
    "status": N_("Status"),
    "ordered_on": N_("Ordered on"),
    "paid": N_("Paid"),
    "refunded": N_("Refunded"),
    "refunded_in_total": N_("Refunded in total"),
    "tracking": N_("Parcel"),
    "kept": N_("Kept"),
    "sent": N_("Sent"),
    "noted": N_("Noted"),
    "products": N_("Products"),
    "name": N_("Name"),
    "sku": N_("Article number"),
    "description": N_("Description"),
    "price": N_("Price"),
    "currency": N_("Currency"),
    "stock": N_("In stock"),
}
AMOUNTS = frozenset({"amount", "paid", "refunded", "refunded_in_total", "price", "unit_price"})
DAYS = frozenset({"ordered_on"})
STATES: Mapping[str, str] = {  # what shops say of an order; any other word is shown as the shop wrote it
    "delivered": N_("delivered"),
    "shipped": N_("on its way"),
    "in transit": N_("on its way"),
    "preparing": N_("being prepared"),
    "cancelled": N_("cancelled"),
}


def label(speech: Speech, name: str) -> str:
    """The word for a value; one that we do not know is shown by its name, made readable."""
    return speech.say(LABELS[name]) if name in LABELS else name.replace("_", " ").strip().capitalize()


def told(speech: Speech, name: str, value: JsonValue, currency: str = CURRENCY) -> str:
    """The value under that name, in full; what is not what its name says is shown as it is written."""
    if name in AMOUNTS and (amount := decimal(value)) is not None and amount.is_finite():
        return speech.money(amount, currency)
    if name in DAYS and (day := day_of(value)) is not None:
        return speech.day(day)
    if name == "status" and value in STATES:
        return speech.say(STATES[str(value)])
    return in_full(speech, value)


def in_full(speech: Speech, value: JsonValue) -> str:
    """A value as people read it; nothing is cut."""
    match value:
        case None:
            return speech.say("nothing")
        case bool():
            return speech.say("yes") if value else speech.say("no")
        case list():
            return "\n".join(in_full(speech, one) for one in value)
        case dict():
            return "\n".join(_named(speech, name, one) for name, one in value.items())
        case _:
            return str(value)


def plain_number(written: str) -> str:
    """As machines write it: "24,90" is how half of Europe does, and blanks come from copying "1 200"."""
    return "".join(written.split()).replace(",", ".")


def decimal(value: JsonValue) -> Decimal | None:
    """An amount, if it is one."""
    try:
        return Decimal(str(value)) if value is not None else None
    except InvalidOperation:
        return None


def _named(speech: Speech, name: str, value: JsonValue) -> str:
    return speech.say("%(label)s: %(value)s", {"label": label(speech, name), "value": told(speech, name, value)})


def day_of(value: JsonValue) -> date | None:
    """A day, if it is one."""
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None
