"""What does a mail say, whatever is wrong with it? Python's parser stumbles; nobody's mail may be lost by that.

A header comes as one line: an encoded word can hold a line end, and what we copied from it would begin a new header.
"""

import unicodedata
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart

from app.conversations.html_text import to_text

STUMBLES = (LookupError, ValueError, TypeError, AttributeError, NameError, MessageError, RecursionError)
CONTROL = frozenset({"Cc", "Cs"})  # line ends and other controls; half characters


def header(mail: EmailMessage, name: str, otherwise: str = "") -> str:
    """One header, read as far as it can be."""
    try:
        value = str(mail.get(name, otherwise))
    except STUMBLES:
        value = next((str(kept) for key, kept in mail.raw_items() if key.lower() == name.lower()), otherwise)
    return one_line(value)


def one_line(text: str) -> str:
    """The text without line ends and other controls."""
    return "".join(" " if unicodedata.category(letter) in CONTROL else letter for letter in text).strip()


def body_of(mail: EmailMessage, raw: bytes) -> str:
    """The text of a mail; of one that cannot be taken apart all that stands after its headers."""
    try:
        part = mail.get_body(preferencelist=("plain", "html"))
        if part is None:
            return ""
        is_html = part.get_content_subtype() == "html"
        text = _content(part)
    except STUMBLES:
        is_html, text = False, raw.partition(b"\r\n\r\n")[2].decode("utf-8", "replace")
    whole = text.encode("utf-8", "replace").decode()
    return to_text(whole) if is_html else whole


def _content(part: MIMEPart) -> str:
    try:
        return str(part.get_content())
    except STUMBLES:  # an unknown character set, for one
        payload = part.get_payload(decode=True)
        return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
