"""What does Camille do with a task in words? An order, a price, a letter; to anything else an honest answer."""

import re

from app.model.practice.reply import Reply, say, turn
from app.model.practice.scenarios.closing import reason
from app.model.practice.scenarios.letter import language_of, order_in, product_in
from app.model.practice.scenarios.shop_results import listed, product_lines
from app.model.practice.scenarios.words import money, status, words
from app.model.practice.talk import Became, Step, Talk, find_text

_SMALL = re.compile(
    r"\b(what|which|is|are|the|a|our|we|do|does|have|in|of|for|how|many|and|please|quel\w*|est|sont|le|la|les|de|des|du|en|"
    r"nos|et)\b",
    re.I,
)
_WRITE = re.compile(r"\b(write|reply|answer|send (?:an? )?(?:e-?mail|letter)|écri\w+|répond\w+|envoy\w+)\b", re.I)
_CATALOGUE = re.compile(r"\b(price|stock|cost|catalogue|prix|coûte\w*)\b", re.I)


def applies(talk: Talk) -> bool:
    """Always: this scenario is the last one asked."""
    return True


def play(talk: Talk) -> Reply:
    """One call for what is recognised, then what it brought."""
    spoken = language_of(talk.task)
    order, query = order_in(talk.task), product_in(talk.task) or _after_catalogue(talk.task)
    if order:
        return _with(talk, spoken, "lookup_order", order_number=order)
    if query:
        return _with(talk, spoken, "search_catalogue", query=query)
    return say(words(spoken, "task_write" if _WRITE.search(talk.task) else "task_unknown"))


def _after_catalogue(task: str) -> str:
    """The words left of a question about price or stock that is put in another way."""
    if not _CATALOGUE.search(task):
        return ""
    left = _SMALL.sub(" ", _CATALOGUE.sub(" ", task))
    return " ".join(re.findall(r"[\w’'-]+", left))[:60]


def _with(talk: Talk, spoken: str, tool: str, **arguments: str) -> Reply:
    made = talk.last(tool)
    if made is None:
        return turn(talk.use(tool, **arguments)) or say(words(spoken, "task_no_tool"))
    return say(_order(spoken, made) if tool == "lookup_order" else _products(spoken, made))


def _order(spoken: str, made: Step) -> str:
    data = made.outcome.data
    number = str(made.arguments.get("order_number", ""))
    if made.became is not Became.DONE:
        return words(spoken, "task_no_order", order=number, reason=reason(spoken, made))
    currency = find_text(data, "currency") or "EUR"
    paid, refunded = (money(spoken, find_text(data, key) or "0.00", currency) for key in ("paid", "refunded"))
    told = status(spoken, find_text(data, "status"))
    lines = [words(spoken, "task_order", order=number, status=told, paid=paid, refunded=refunded)]
    for item in listed(data, "items"):
        price = money(spoken, find_text(item, "unit_price", "price"), currency)
        quantity, name = find_text(item, "quantity") or "1", find_text(item, "name")
        lines.append(words(spoken, "task_item", quantity=quantity, name=name, price=price))
    return "\n".join(lines)


def _products(spoken: str, made: Step) -> str:
    if made.became is not Became.DONE:
        return reason(spoken, made)
    found = product_lines(spoken, made.outcome.data)
    query = str(made.arguments.get("query", ""))
    return "\n".join(found) if found else words(spoken, "task_no_product", query=query)
