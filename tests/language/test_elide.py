"""French shortens “de” and “que” before a vowel, whoever's name it is and wherever it is filled in."""

import pytest

from app.language.elide import elide
from app.language.speech import Speech
from app.language.templates import make_templates, render

JOB_SHEET = "Job sheet of %(name)s"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Omar", "la tâche d’Omar, ce qu’Omar a lu"),
        ("Élodie", "la tâche d’Élodie, ce qu’Élodie a lu"),
        ("Camille", "la tâche de Camille, ce que Camille a lu"),
        ("Hugo", "la tâche de Hugo, ce que Hugo a lu"),
        ("", "la tâche de , ce que  a lu"),
        ("<bdi>Anna</bdi>", "la tâche d’<bdi>Anna</bdi>, ce qu’<bdi>Anna</bdi> a lu"),
    ],
)
def test_a_name_decides(name: str, said: str) -> None:
    facts = {"name": name}
    assert elide("la tâche de %(name)s, ce que %(name)s a lu", facts) % facts == said


def test_only_de_and_que_are_shortened() -> None:
    facts = {"name": "Omar"}
    for kept in ("le mode %(name)s", "par %(name)s", "de la %(name)s", "100 % de sucre"):
        assert elide(kept, facts) == kept


def test_it_holds_for_what_is_said_by_code_and_by_templates() -> None:
    assert Speech("fr").say(JOB_SHEET, {"name": "Omar"}) == "Fiche de poste d’Omar"
    assert Speech("en").say(JOB_SHEET, {"name": "Omar"}) == "Job sheet of Omar"
    page = make_templates().from_string("{% trans name=name %}Job sheet of {{ name }}{% endtrans %} {{ _('Close') }}")
    templates = make_templates()
    templates.get_template = lambda _: page  # type: ignore[assignment,misc]  # a page of our own, rendered as others
    assert render(templates, "", Speech("fr"), {"name": "<Omar>"}) == "Fiche de poste de &lt;Omar&gt; Fermer"
