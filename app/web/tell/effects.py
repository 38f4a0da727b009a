"""What would a call do, in the reader's words? What the code knows, never what the employee says about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from pydantic import JsonValue

from app.language.speech import Speech
from app.tools.catalogue import TOOLS, words_for
from app.web.contexts.chrome import Row
from app.web.contexts.effects import ArgumentsEffect, Effect, MailEffect, OrderLine, RefundEffect
from app.web.tell.values import CURRENCY, day_of, decimal, in_full, label, told

Picture = Literal["mail", "refund", "arguments"]
HIDDEN = frozenset({"mail", "in_reply_to"})  # ids that say nothing to people
SENDS = "send_reply"


@dataclass(frozen=True)
class Around:
    """What is known beside the arguments: who sends, what the order says, what is asked or done on it meanwhile."""

    sender_name: str
    sender: str
    order: Mapping[str, JsonValue] | None = None
    refunded_since: Decimal = Decimal(0)  # asked for or booked after the order was looked up


def title(speech: Speech, tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """One line: "Send a mail to claire@example.org"."""
    if (words := words_for(tool)) is None:
        return speech.say("Something that does not exist here")
    effect = words(arguments)
    facts = dict(effect.facts)
    if effect.sort == "refund" and (amount := decimal(arguments.get("amount"))) is not None:
        facts["amount"] = speech.money(amount, facts.get("currency") or CURRENCY)
    return speech.say(effect.sentence, facts)


def picture(tool: str, arguments: Mapping[str, JsonValue]) -> Picture:
    """Which sign stands at it."""
    sort = TOOLS[tool].in_words(arguments).sort if tool in TOOLS else ""
    return "mail" if sort == "mail" else "refund" if sort == "refund" else "arguments"


def effect(speech: Speech, tool: str, arguments: Mapping[str, JsonValue], around: Around) -> Effect:
    """The thing itself: a letter, a receipt, or a clean table of everything."""
    sort = picture(tool, arguments)
    if sort == "mail" and tool == SENDS:
        return _mail(arguments, around)
    if sort == "refund" and (receipt := _refund(arguments, around)) is not None:
        return receipt
    return ArgumentsEffect(rows(speech, tool, arguments))


def rows(speech: Speech, tool: str, arguments: Mapping[str, JsonValue]) -> tuple[Row, ...]:
    """Every argument in full: first what we filled in, marked as such, then the others as the tool names them.

    What another service's tool is given is hidden under no name of ours, nor read as an amount of ours.
    """
    if tool not in TOOLS:
        return tuple(Row(label(speech, name), in_full(speech, value)) for name, value in arguments.items())
    bound, others = TOOLS[tool].bound, TOOLS[tool].arguments.model_fields
    places = {name: place for place, name in enumerate((*bound, *others))}
    return tuple(
        Row(label(speech, name), told(speech, name, value), fixed=name in bound)
        for name, value in sorted(arguments.items(), key=lambda one: places.get(one[0], len(places)))
        if name not in HIDDEN
    )


def _mail(arguments: Mapping[str, JsonValue], around: Around) -> MailEffect:
    return MailEffect(
        to=str(arguments.get("to") or ""),
        subject=str(arguments.get("subject") or ""),
        body=str(arguments.get("body") or ""),
        sender=f"{around.sender_name} <{around.sender}>",
    )


def _refund(arguments: Mapping[str, JsonValue], around: Around) -> RefundEffect | None:
    """A receipt, where the order was looked up; without what was paid an amount alone would look too certain."""
    order, amount = around.order, decimal(arguments.get("amount"))
    if order is None or amount is None or (paid := decimal(order.get("paid"))) is None:
        return None
    refunded = (decimal(order.get("refunded")) or Decimal(0)) + around.refunded_since
    return RefundEffect(
        amount=amount,
        currency=str(order.get("currency") or CURRENCY),
        order=str(arguments.get("order") or ""),
        customer=str(order.get("customer") or ""),
        reason=str(arguments.get("reason") or ""),
        paid=paid,
        refunded=refunded,
        left=paid - refunded - amount,
        lines=_lines(order.get("items")),
        ordered_on=day_of(order.get("ordered_on")),
    )


def _lines(items: JsonValue) -> tuple[OrderLine, ...]:
    if not isinstance(items, Sequence) or isinstance(items, str):
        return ()
    found = []
    for item in items:
        price = decimal(item.get("unit_price")) if isinstance(item, dict) else None
        if isinstance(item, dict) and price is not None:
            quantity = int(str(item.get("quantity") or 1))
            found.append(OrderLine(str(item.get("name", "")), quantity, quantity * price))
    return tuple(found)
