"""What does a manager's word ask for? Read as a colleague would: an offer, an amount, a tone, a sentence to add."""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_VOUCHER = re.compile(r"\b(voucher|gift card|coupon|bon d’achat|bon d'achat|bon cadeau|avoir)\b", re.I)
_REPLACEMENT = re.compile(
    r"\b(replace\w*|send (?:\w+ ){0,3}(?:new|another)|new (?:one|cup)|remplac\w+|renvoy\w+|une? (?:nouve\w+|autre))\b",
    re.I,
)
_SHORTER = re.compile(r"\b(short(?:er)?|too long|brief(?:er)?|plus court|trop long|bref)\b", re.I)
_WARMER = re.compile(
    r"\b(warm(?:er)?|friendl\w+|kind(?:er)?|nicer|too cold|"
    r"apolog\w+|sorry|chaleureu\w+|aimable|gentil\w*|excus\w+|trop froid)\b",
    re.I,
)
_SENTENCE = re.compile(
    r"\b(?:say|tell (?:her|him|them)|mention|add|write|dites(?:-lui)?|ajoutez|précisez|écrivez|mentionnez)\b"
    r"(?: that| also| que| qu’| qu'|\s*:)?\s+(?P<sentence>[^\n]{3,300})",
    re.I,
)
_AMOUNT = re.compile(
    r"(?P<amount>\d{1,5}(?:[.,]\d{1,2})?)\s*(?:€|eur\b|euros?\b)|(?:€|eur)\s*(?P<after>\d{1,5}(?:[.,]\d{1,2})?)", re.I
)


def amount_in(text: str) -> Decimal | None:
    """The first amount of money in this text."""
    found = _AMOUNT.search(text)
    if found is None:
        return None
    try:
        return Decimal((found["amount"] or found["after"]).replace(",", ".")).quantize(Decimal("0.01"))
    except InvalidOperation:
        return None


@dataclass(frozen=True)
class Wish:
    """The words of a refusal and what they ask for instead."""

    word: str

    @property
    def voucher(self) -> bool:
        return _VOUCHER.search(self.word) is not None

    @property
    def replacement(self) -> bool:
        return _REPLACEMENT.search(self.word) is not None

    @property
    def shorter(self) -> bool:
        return _SHORTER.search(self.word) is not None

    @property
    def warmer(self) -> bool:
        return _WARMER.search(self.word) is not None

    @property
    def amount(self) -> Decimal | None:
        return amount_in(self.word)

    @property
    def sentence(self) -> str:
        """A sentence that is to stand in the mail, with a capital and a full stop."""
        found = _SENTENCE.search(self.word)
        if found is None or self.warmer or self.shorter:
            return ""
        told = found["sentence"].strip().rstrip(".")
        return f"{told[0].upper()}{told[1:]}."

    @property
    def is_understood(self) -> bool:
        return bool(self.voucher or self.replacement or self.shorter or self.warmer or self.sentence)
