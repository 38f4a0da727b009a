"""Which sentences are there to translate? `python -m app.language.extract` brings the .po files up to date.

From the code `_("…")`, `N_("…")`, `say("…")`, `count("…", "…", n)` and the docstrings of PlacetError's kinds; from the
templates everything marked. Translations that exist are kept; what is gone from the code leaves the file.
"""

import ast
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from app.language.catalogue import FOLDER, LANGUAGES, SOURCE
from app.language.templates import EXTENSIONS

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {
    "_": None,
    "N_": None,
    "say": None,
    "gettext": None,
    "ngettext": (1, 2),
    "count": (1, 2),
}
SPEAKS_FOR_ITSELF = ("app/cli/", "app/demo/", "app/database/", "app/model/")  # terminals, and what only plays a part
WIDTH = 110
JINJA = {"extensions": ",".join(EXTENSIONS), "trim_blocks": "true", "lstrip_blocks": "true"}
METHODS = [("app/**.py", "python"), ("templates/**.html", "jinja2"), ("templates/**.txt", "jinja2")]
OPTIONS = {"templates/**.html": JINJA, "templates/**.txt": JINJA}


def extract() -> Catalog:
    """Every sentence of templates and code, with the places where it stands."""
    found = Catalog(charset="utf-8", fuzzy=False)
    for place, line, message, context in _from_files():
        found.add(message, locations=[(place, line)], context=context)
    for place, line, sentence in _from_errors():
        found.add(sentence, locations=[(place, line)])
    return found


def update(language: str) -> None:
    """Bring one language's file up to date; its head (glossary and plural rule) stays as it is."""
    path = FOLDER / f"{language}.po"
    text = path.read_text()
    head, _, _ = text.partition("\n\n")
    kept = read_po(StringIO(text), locale=language)
    kept.update(extract(), no_fuzzy_matching=True)
    body = BytesIO()
    write_po(body, kept, width=WIDTH, omit_header=True, ignore_obsolete=True, include_lineno=False)
    path.write_text(head + "\n\n" + body.getvalue().decode().lstrip("\n"))


def _from_files() -> Iterator[tuple[str, int, str | tuple[str, ...], str | None]]:
    for file, line, message, _comments, context in extract_from_dir(ROOT, METHODS, OPTIONS, KEYWORDS):
        place = Path(file).as_posix()
        if message and not place.startswith(SPEAKS_FOR_ITSELF):
            yield place, line, message, context


def _from_errors() -> Iterator[tuple[str, int, str]]:
    """The docstring of each kind of PlacetError is the sentence that a person reads."""
    classes = [
        (path.relative_to(ROOT).as_posix(), node)
        for path in sorted((ROOT / "app").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    ]
    kinds = {"PlacetError"}
    while more := {node.name for _, node in classes if _bases(node) & kinds} - kinds:
        kinds |= more
    for place, node in classes:
        if _bases(node) & kinds and (sentence := ast.get_docstring(node)):
            yield place, node.lineno, sentence


def _bases(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


if __name__ == "__main__":
    for language in LANGUAGES:
        if language != SOURCE:
            update(language)
