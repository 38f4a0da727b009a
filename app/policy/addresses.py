"""Whom does this text name? Mail addresses and hosts, parsed strictly: what is not plain is refused, not guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from app.policy.decision import Json

ADDRESS = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[^\s@<>,;\"()\\\[\]:]+"
# No comments, groups, routes or escapes: RFC 5322 allows them, and parsers disagree about where such mail goes.
ONE = re.compile(
    rf'[ \t]*(?:(?:"[^"\\\r\n]*"[ \t]*|[^"<>@,;()\\\r\n]*)<(?P<inside>{ADDRESS})>|(?P<bare>{ADDRESS}))[ \t]*'
)
BETWEEN = re.compile(r"[,;]")
HOST_FORBIDDEN = re.compile(r"[\s\\@\x00-\x1f]")
LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


def addresses(value: Json) -> tuple[str, ...] | None:
    """Every address in a text or a list of texts, in one spelling; `None` if any part of it is something else."""
    if isinstance(value, str):
        return _of_text(value)
    if value is None or not isinstance(value, Sequence):
        return None
    found: list[str] = []
    for item in value:
        inside = _of_text(item) if isinstance(item, str) else None
        if inside is None:
            return None
        found.extend(inside)
    return tuple(found)


def domain(address: str) -> str:
    """The part after the `@` of an address that `addresses` returned."""
    return address.rpartition("@")[2]


def host(value: str) -> str | None:
    """The host of a web address, or a bare domain, in one spelling; `None` where parsers could disagree."""
    if HOST_FORBIDDEN.search(value):
        return None
    if "://" not in value:
        return domain_name(value)
    try:
        return domain_name(urlsplit(value).hostname or "")
    except ValueError:
        return None


def domain_name(text: str) -> str | None:
    """A domain in lower case and ASCII, or `None` if it is not one."""
    try:
        plain = text.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    labels = plain.split(".")
    return plain if len(labels) > 1 and all(LABEL.fullmatch(label) for label in labels) else None


def _of_text(text: str) -> tuple[str, ...] | None:
    found: list[str] = []
    at = 0
    while match := ONE.match(text, at):
        address = _one_spelling(match["inside"] or match["bare"])
        if address is None:
            return None
        found.append(address)
        at = match.end()
        if at == len(text):
            return tuple(found)
        if not BETWEEN.match(text, at):
            return None
        at += 1
    return None


def _one_spelling(address: str) -> str | None:
    local, _, after = address.rpartition("@")
    name = domain_name(after)
    return None if name is None else f"{local.lower()}@{name}"
