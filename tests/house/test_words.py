"""What a person reads is there in both languages, complete, plain, and set as a printer would set it."""

import ast
import re

import pytest

from app.language.catalogue import translations
from tests.house.code import files, parsed
from tests.house.sentences import PLACEHOLDER, TAG, kept, needed, plain

THIN = "\u202f"  # the narrow no-break space before : ; ? ! and inside « »
# Words of programmers, in either language, and the second names of things that have a first one in the glossary.
ENGLISH = r"tools?|tokens?|json|runs?|api|null|payload|time-?out|schema|database|servers?|strings?|boolean|parameters?"
ENGLISH += r"|stack ?trace|https?|sql|query|backend|workers?|prompts?|llm|callback|debug|config\w*|users?|sessions?"
FRENCH = r"outils?|jetons?|tokens?|json|run|api|null|payload|timeout|schéma|base de données|serveurs?|booléen|requêtes?"
FRENCH += r"|paramètres?|https?|sql|prompts?|llm|débogu\w+|config\w*|utilisateurs?|courriels?|(?<!e-)mails?|rejet\w*"
FRENCH += r"|collaborat\w+|valid(?:er|é|ée)|manager|inbox"
ADDRESS = re.compile(r"\bhttps?://|\bsmtp\.example\.com:\d+")  # an address, or its beginning, where one is asked for


def english() -> list[str]:
    return [form for entry in needed().values() for form in entry.english]


def french() -> list[str]:
    return [form for entry in kept().values() for form in entry.french]


def test_the_french_file_has_each_sentence_and_no_other() -> None:
    """`python -m app.language.extract` brings it up to date; then the new lines want their French."""
    assert set(needed()) - set(kept()) == set()
    assert set(kept()) - set(needed()) == set()


def test_no_french_sentence_is_empty_or_doubtful() -> None:
    assert [entry.english for entry in kept().values() if entry.doubtful or not all(entry.french)] == []


def test_what_is_counted_has_the_three_forms_of_french() -> None:
    assert [entry.english for entry in kept().values() if len(entry.french) != (3 if entry.english[1:] else 1)] == []


@pytest.mark.parametrize(
    ("number", "form"), [(0, 0), (1, 0), (2, 2), (999_999, 2), (1_000_000, 1), (1_000_001, 2), (3_000_000, 1)]
)
def test_french_counts_as_french_people_do(number: int, form: int) -> None:
    """« 0 demande », « 2 demandes », « 1 000 000 de demandes »."""
    counted = [entry for entry in kept().values() if len(entry.english) == 2]
    assert counted
    for entry in counted:
        one, many = entry.english
        assert translations("fr").ngettext(one, many, number) == entry.french[form]


def test_a_translation_is_told_the_same_facts_and_wears_the_same_markup() -> None:
    wrong = []
    for entry in kept().values():
        known = {name for form in entry.english for name in PLACEHOLDER.findall(form)}
        *few, most = entry.french
        same = sorted(PLACEHOLDER.findall(most)) == sorted(PLACEHOLDER.findall(entry.english[-1]))
        fewer = all(set(PLACEHOLDER.findall(form)) <= known for form in few)
        marked = sorted(TAG.findall(most)) == sorted(TAG.findall(entry.english[-1]))
        wrong += [] if same and fewer and marked else [entry.english]
    assert wrong == []


def test_what_is_counted_is_written_where_it_is_counted() -> None:
    """`count` finds its sentences in the catalogue only if both stand there as they are, not under another name."""
    calls = [node for path in files("app") for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)]
    counting = [node for node in calls if ast.unparse(node.func).endswith("speech.count")]
    assert counting
    written = [all(isinstance(one, ast.Constant) for one in node.args[:2]) for node in counting]
    assert [ast.unparse(node) for node, literal in zip(counting, written, strict=True) if not literal] == []


def test_no_english_sentence_has_a_technical_word() -> None:
    forbidden = re.compile(rf"\b(?:{ENGLISH})\b", re.IGNORECASE)
    assert [sentence for sentence in english() if forbidden.search(ADDRESS.sub("", plain(sentence)))] == []


def test_no_french_sentence_has_a_technical_word_or_a_second_name_for_a_thing() -> None:
    forbidden = re.compile(rf"\b(?:{FRENCH})\b", re.IGNORECASE)
    assert [said for said in french() if forbidden.search(ADDRESS.sub("", plain(said)))] == []


def test_english_is_set_as_english() -> None:
    assert [said for said in english() if re.search(r"['\"]|\.\.\.| {2}|[«»]", plain(said, "x"))] == []


def test_french_is_set_as_french() -> None:
    said = [ADDRESS.sub("", plain(sentence, "x")) for sentence in french()]
    assert [sentence for sentence in said if re.search(r"['\"]|\.\.\.| {2}|[“”]", sentence)] == []
    assert [sentence for sentence in said if re.search(rf"(?<!{THIN})[:;?!»]", sentence)] == []
    assert [sentence for sentence in said if re.search(rf"«(?!{THIN})", sentence)] == []


def test_a_sentence_ends_as_its_original_does() -> None:
    ends = (".", ":", "?", "!")
    wrong = [
        entry.english
        for entry in kept().values()
        if entry.english[0].endswith(ends) != entry.french[0].endswith(ends) and len(entry.english) == 1
    ]
    assert wrong == []
