"""Has every rule, mode, kind and note a sentence that a person can read?"""

from hypothesis import given, settings

from app.policy import words
from app.policy.decide import RULE_NAMES, decide
from app.policy.decision import Facts, Kind, Mode
from tests.policy.test_decide import CASES, REFUND, total
from tests.policy.test_properties import any_facts

TECHNICAL = ("tool call", "token", "json", "run ", "policy", "None", "null")


def test_every_word_has_its_sentence() -> None:
    assert set(words.RULES) == set(RULE_NAMES)
    assert set(words.MODES) == set(Mode)
    assert set(words.KINDS) == set(Kind)
    assert set(words.REFUSALS) == {"ceiling", "refused_before"}
    assert {rule for rule, _, _ in words.NOTES} <= set(RULE_NAMES)


def test_the_sentences_are_plain() -> None:
    said = [*words.RULES.values(), *words.NOTES.values(), *words.REFUSALS.values(), *words.MODES.values()]

    assert not [sentence for sentence in said if any(word in sentence for word in TECHNICAL)]


def test_a_note_says_more_than_its_rule_where_there_is_one() -> None:
    for facts, _, _ in CASES:
        for step in decide(facts).trail:
            said = words.said(step)
            assert said.sentence % said.facts
            assert (said.sentence == words.RULES[step.rule]) == (not step.note)


def test_a_ceiling_is_told_with_its_figures() -> None:
    step = decide(Facts(REFUND, ceilings=total("140", "12.50", soft=True))).trail[-1]
    said = words.said(step)

    assert said.sentence % said.facts == "The ceiling “refunds” would be passed by 2.50 EUR."


@settings(max_examples=100, deadline=None)
@given(any_facts)
def test_every_step_can_be_told(facts: Facts) -> None:
    for step in decide(facts).trail:
        said = words.said(step)
        assert said.sentence % said.facts
