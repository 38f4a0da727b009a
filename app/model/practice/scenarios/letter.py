"""What does this mail say? Who wrote, in which language, about which order, and what they want."""

import re
from dataclasses import dataclass

from pydantic import JsonValue

from app.model.practice.talk import find_text

_ORDER = re.compile(r"\b(?P<letters>[A-Z]{2,4})[-‑ ]?(?P<number>\d{3,8})\b")
_BROKEN = re.compile(
    r"\b(broken|broke|damaged|cracked|chipped|smashed|shattered|defective|missing|in pieces|cassée?s?|brisée?s?|"
    r"abîmée?s?|fêlée?s?|ébréchée?s?|endommagée?s?|défectueu(?:x|se)|manquante?s?|manque)\b",
    re.I,
)
_WHERE = re.compile(
    r"\b(where is|when (?:will|can|does)|track(?:ing)?|not (?:yet )?arrived|still waiting|delivery|où en est|où est|"
    r"quand|livraison|livrée?|suivi|colis|toujours pas (?:reçu|arrivée?))\b",
    re.I,
)
_PRODUCT = re.compile(
    r"(?:do you (?:still |also )?(?:have|sell|stock)|price of|(?:in )?stock (?:of|for)|"
    r"how much (?:is|are|does|do|would)|avez-vous(?: encore)?|vendez-vous(?: encore)?|"
    r"(?:le )?prix (?:de |d’|d'|du |des )|combien coûtent?|how many|"
    r"combien (?:reste-t-il |avons-nous )?(?:de |d’|d')|stock (?:de |d’|d'|du |des ))"
    r"\s*(?:the|a|an|any|some|your|my|le |la |les |l’|l'|un |une |des |du |de la |vos |votre )?\s*"
    r"(?P<product>[^?.!;:\n,]{2,60})",
    re.I,
)
_PRODUCT_ENDS = re.compile(
    r"\s+(?:in stock|left|are|do we|cost|available|at the moment|please|and|still|en stock|disponibles?|svp|et|encore|"
    r"reste-t-il|restent-ils|avons-nous|y a-t-il)\b.*",
    re.I,
)
_INSTRUCTION = re.compile(
    r"\bignore (?:\w+ ){0,3}(?:rules?|instructions?)\b|\bdisregard\b|^\W*system\s*:|"
    r"\brefund (?:\w+ ){0,4}immediately\b|\byou are now\b|"
    r"\bignore[zr]? (?:\w+ ){0,3}(?:règles|instructions|consignes)\b|"
    r"^\W*système\s*:",
    re.I | re.M,
)
_FRENCH = re.compile(
    r"\b(je|vous|nous|est|une?|le|la|les|de|des|du|ma|mon|nos|vos|quels?|quelles?|combien|il|elle|où|en|bonjour|merci|"
    r"commande|quand|pas|pour|avec|et)\b",
    re.I,
)
_ENGLISH = re.compile(r"\b(i|you|we|is|an?|the|my|hello|dear|thanks?|order|when|not|for|with|and|of|to|please)\b", re.I)
_NAME = re.compile(r"^\s*\"?(?P<name>[^<\"@]+?)\"?\s*<")


def language_of(*texts: str) -> str:
    """`fr` or `en`, by the small words."""
    together = " ".join(texts)
    return "fr" if len(_FRENCH.findall(together)) > len(_ENGLISH.findall(together)) else "en"


def order_in(text: str) -> str:
    """The first number that looks like an order's; empty if there is none."""
    found = _ORDER.search(text)
    return f"{found['letters']}-{found['number']}" if found else ""


def product_in(text: str) -> str:
    """What somebody asks about the price or stock of; empty if nothing."""
    found = _PRODUCT.search(text)
    return _PRODUCT_ENDS.sub("", found["product"]).strip() if found else ""


@dataclass(frozen=True)
class Letter:
    """A mail, read with the eyes of a shop's employee."""

    sender: str
    subject: str
    body: str
    sender_name: str = ""

    @property
    def whole(self) -> str:
        return f"{self.subject}\n{self.body}"

    @property
    def language(self) -> str:
        return language_of(self.whole)

    @property
    def name(self) -> str:
        """The sender's name, from its own field or from an address like `Emma Walsh <…>`."""
        if self.sender_name:
            return self.sender_name
        found = _NAME.match(self.sender)
        return found["name"].strip() if found else ""

    @property
    def order(self) -> str:
        return order_in(self.whole)

    @property
    def product(self) -> str:
        return product_in(self.body)

    @property
    def says_broken(self) -> bool:
        return _BROKEN.search(self.whole) is not None

    @property
    def asks_where(self) -> bool:
        return _WHERE.search(self.whole) is not None

    @property
    def instruction(self) -> str:
        """The line that tries to give orders to whoever reads the mail; empty in an honest one."""
        found = _INSTRUCTION.search(self.whole)
        if found is None:
            return ""
        start = self.whole.rfind("\n", 0, found.start()) + 1
        end = self.whole.find("\n", found.end())
        return self.whole[start : end if end >= 0 else None].strip()[:150]


def letter_from(result: JsonValue) -> Letter:
    """The mail in a result of `read_mail`."""
    return Letter(
        sender=find_text(result, "from", "sender"),
        subject=find_text(result, "subject"),
        body=find_text(result, "body", "text", "result_cut"),
        sender_name=find_text(result, "from_name"),
    )
