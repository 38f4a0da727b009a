"""What does an HTML mail say? Its text, with paragraphs; nothing in it is loaded, run or linked."""

import re
from html.parser import HTMLParser

BREAKS = frozenset({"p", "br", "div", "tr", "li", "h1", "h2", "h3", "h4", "blockquote", "table", "hr"})
SILENT = frozenset({"script", "style", "head", "title", "template", "noscript"})


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = 0 if tag == "body" else self._silent + (tag in SILENT)  # a head need not be closed
        if tag in BREAKS:
            self.parts.append("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BREAKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in SILENT))
        if tag in BREAKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(re.sub(r"\s+", " ", data))


def to_text(html: str) -> str:
    """The readable text of `html`."""
    reader = _Text()
    reader.feed(html)
    reader.close()
    lines = [" ".join(line.split()) for line in "".join(reader.parts).split("\n")]
    kept = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join(kept).strip()
