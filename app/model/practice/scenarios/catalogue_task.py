"""What does the catalogue's employee do with a task? Find the article, read it, propose one change, say how it went."""

import re

from app.model.practice.reply import Reply, Use, say, turn
from app.model.practice.scenarios import task_in_words
from app.model.practice.scenarios.closing import conclude
from app.model.practice.scenarios.letter import language_of
from app.model.practice.scenarios.shop_results import listed
from app.model.practice.scenarios.words import money, words
from app.model.practice.talk import Became, Talk, find_text

_SKU = re.compile(r"\b[A-Z]{2,6}-[A-Z]{2,10}\b")
_PRICE = re.compile(r"(?:\bto|\bat|\bà|:)\s*(?:EUR\s*|€\s*)?(?P<euros>\d{1,5})(?:[.,](?P<cents>\d{1,2}))?\b", re.I)
_ABOUT_PRICE = re.compile(r"\b(price|cost|prix|coûte\w*|tarif)\b", re.I)
_ABOUT_TEXT = re.compile(r"\b(text|description|describe|wording|write|texte|fiche|décri\w*|rédig\w*)\b", re.I)
_REMOVE = re.compile(r"\b(delete|remove|take out|supprim\w*|retir\w*|enlev\w*)\b", re.I)
_SMALL = re.compile(
    r"\b(set|change|raise|lower|the|a|new|better|price|text|description|of|for|to|write|please|passez|changez|mettez|"
    r"le|la|les|un|une|prix|texte|meilleur|de|du|des|pour|à|rédigez|eur)\b|[\d.,:€]+",
    re.I,
)


def applies(talk: Talk) -> bool:
    """The employee may change articles, and the task wants one changed."""
    wants = (_ABOUT_PRICE, _ABOUT_TEXT, _REMOVE)
    return "update_product" in talk.tools and any(word.search(talk.task) for word in wants)


def play(talk: Talk) -> Reply:
    """The next turn on this article."""
    spoken = language_of(talk.task)
    if _REMOVE.search(talk.task):
        return _hand_over(talk, spoken)
    sku = _sku(talk)
    if not sku:
        return _search(talk, spoken)
    if not talk.calls("read_product"):
        return turn(talk.use("read_product", sku=sku)) or say(words(spoken, "task_no_tool"))
    if talk.calls("update_price", "update_product"):
        return say(conclude(talk))
    return _propose(talk, spoken, sku)


def _sku(talk: Talk) -> str:
    """The article's number: in the task, or the only one that a search found."""
    if named := _SKU.search(talk.task):
        return named.group()
    found = talk.last("search_catalogue")
    products = listed(found.outcome.data, "products") if found else []
    return find_text(products[0], "sku") if len(products) == 1 else ""


def _search(talk: Talk, spoken: str) -> Reply:
    if not talk.calls("search_catalogue"):
        query = " ".join(re.findall(r"[\w’'-]+", _SMALL.sub(" ", talk.task)))[:60]
        return turn(talk.use("search_catalogue", query=query)) or say(words(spoken, "task_no_tool"))
    return say(words(spoken, "which_article")) if _several(talk) else task_in_words.play(talk)


def _several(talk: Talk) -> bool:
    found = talk.last("search_catalogue")
    return found is not None and len(listed(found.outcome.data, "products")) > 1


def _propose(talk: Talk, spoken: str, sku: str) -> Reply:
    read = talk.last("read_product")
    if read is None or read.became is not Became.DONE:
        return say(conclude(talk))
    data = read.outcome.data
    name, was = find_text(data, "name"), find_text(data, "price")
    wanted = _PRICE.search(_SKU.sub(" ", talk.task)) if _ABOUT_PRICE.search(talk.task) else None
    use: Use | None
    if wanted:
        price = f"{wanted['euros']}.{(wanted['cents'] or '0').ljust(2, '0')}"
        why = words(spoken, "why_price", name=name, was=money(spoken, was, "EUR"), price=money(spoken, price, "EUR"))
        use = talk.use("update_price", why=why, sku=sku, price=price, was=was)
    elif _ABOUT_TEXT.search(talk.task):
        text = words(spoken, "article_text", name=name, text=find_text(data, "description").rstrip("."))
        use = talk.use("update_product", why=words(spoken, "why_text", name=name), sku=sku, description=text)
    else:
        return say(words(spoken, "which_price"))
    return turn(use) or say(words(spoken, "task_no_tool"))


def _hand_over(talk: Talk, spoken: str) -> Reply:
    """Taking an article out is not for this employee: the tool is not even there."""
    if talk.calls("tell_manager"):
        return say(words(spoken, "not_removed"))
    told = words(spoken, "note_remove", task=talk.task[:300])
    return turn(talk.use("tell_manager", why=words(spoken, "why_note_remove"), note=told)) or say(
        words(spoken, "not_removed")
    )
