"""When do a person's own words count, and where can they never help?"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.policy.decide import decide
from app.policy.decision import (
    Comparison,
    Condition,
    Facts,
    GrantView,
    Json,
    Kind,
    Mode,
    ModeSheet,
    StandingException,
    ToolView,
)
from app.policy.exceptions import cited, narrow_scope, normalise
from app.policy.offers import allowance, grants_offered, overrode_outside, reach, would_help

NADIA = "nadia@colibri.fr"
EVE = "eve@evil.example"
MAIL = ToolView("send_mail", Kind.ACT, targets=frozenset({"to", "cc"}), leaves=frozenset({"subject", "body"}))
CONFIRM = ToolView("confirm_booking", Kind.ACT, targets=frozenset({"to", "cc"}))
REPLY = ToolView("send_reply", Kind.ACT, targets=frozenset({"to"}), leaves=frozenset({"body"}), bound=frozenset({"to"}))
REFUND = ToolView("refund_order", Kind.ACT, targets=frozenset({"order"}), bound=frozenset({"order"}))
FOREIGN = ToolView("shop__pay", Kind.ACT, foreign=True)
SAID = "It’s fine: “small” things need no question."


def said(tool: ToolView, *conditions: Condition) -> StandingException:
    """An exception for one tool."""
    return StandingException("e", SAID, frozenset({tool.name}), conditions)


def call(tool: ToolView, arguments: dict[str, Json], *conditions: Condition, outside: bool = True) -> Facts:
    """A call that quotes an exception with these conditions."""
    sheet = ModeSheet(exceptions=(said(tool, *conditions),))
    return Facts(tool, sheet, outside_read=outside, arguments=arguments, cited=SAID)


def is_(field: str, value: Json) -> Condition:
    return Condition(field, Comparison.IS, value)


@pytest.mark.parametrize(
    "quoted",
    [
        SAID,
        'it\'s fine: "small" things need no question.',
        "It’s fine: « small » things need no question.",
        "IT’S  FINE:\n„small“ things need no\u00a0question. ",
        "It’s ﬁne: “small” things need no question.",
    ],
)
def test_a_sentence_is_recognised_however_it_is_typed(quoted: str) -> None:
    assert cited(quoted, (said(MAIL),))


@pytest.mark.parametrize(
    "quoted",
    [
        None,
        "",
        " \n",
        "It’s fine: “small” things need no question",
        "Its fine: “small” things need no question.",
        "It’s fine: “small” thíngs need no question.",
        "It’s fine: small things need no question.",
        "It’s fine: “small” things need no question. And large ones too.",
        "It’s fine: “small” things need nо question.",  # a Cyrillic о
        "It’s fine: “small” things need no\u200b question.",
    ],
)
def test_and_nothing_looser_is(quoted: str | None) -> None:
    assert not cited(quoted, (said(MAIL),))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_an_exception_without_words_can_not_be_quoted() -> None:
    assert not cited("", (replace(said(MAIL), text="  "),))


TABLE = [
    # a letter: its text is free, so no condition on the recipient helps after a mail was read
    (call(MAIL, {"to": NADIA, "body": "Dear"}, is_("to", NADIA)), Mode.ASK),
    (call(MAIL, {"to": NADIA, "body": "Dear"}, is_("to", NADIA), outside=False), Mode.TELL),
    (call(MAIL, {"to": NADIA, "body": "Dear"}, is_("to", NADIA), is_("body", "Dear")), Mode.TELL),
    (call(MAIL, {"to": NADIA}, is_("to", NADIA)), Mode.TELL),
    # a confirmation from a template: where it goes must be fixed, copies too
    (call(CONFIRM, {"to": NADIA}, is_("to", NADIA)), Mode.TELL),
    (call(CONFIRM, {"to": NADIA, "cc": ""}, is_("to", NADIA)), Mode.TELL),
    (call(CONFIRM, {"to": NADIA, "cc": NADIA}, is_("to", NADIA)), Mode.TELL),
    (call(CONFIRM, {"to": NADIA, "cc": EVE}, is_("to", NADIA)), Mode.ASK),
    (call(CONFIRM, {"to": NADIA}), Mode.ASK),
    (call(CONFIRM, {}), Mode.ASK),
    (call(CONFIRM, {"to": NADIA}, Condition("to", Comparison.IS_ONE_OF, [NADIA, "a@b.fr"])), Mode.TELL),
    # a domain is a set of addresses that nobody has counted
    (call(CONFIRM, {"to": NADIA}, Condition("to", Comparison.DOMAIN_IS, "colibri.fr")), Mode.ASK),
    # what the run is about was fixed by us; the amount is what the manager's words are about
    (call(REFUND, {"order": "1", "amount": 5}, Condition("amount", Comparison.AT_MOST, 20)), Mode.TELL),
    (call(REFUND, {"order": "1", "amount": 25}, Condition("amount", Comparison.AT_MOST, 20)), Mode.ASK),
    (call(REFUND, {"order": "1", "amount": 5}), Mode.ASK),
    (call(REFUND, {"order": "1"}), Mode.TELL),
    (call(REPLY, {"to": NADIA, "body": "Dear"}, is_("to", NADIA)), Mode.ASK),
    # nobody declared where a foreign tool's effects go: every argument must be fixed
    (call(FOREIGN, {"iban": "FR1", "sum": 5}, is_("iban", "FR1")), Mode.ASK),
    (call(FOREIGN, {"iban": "FR1", "sum": 5}, is_("iban", "FR1"), is_("sum", 5)), Mode.TELL),
    (call(FOREIGN, {"iban": "FR1", "sum": 5}, is_("iban", "FR1"), Condition("sum", Comparison.AT_MOST, 9)), Mode.ASK),
    (call(FOREIGN, {}), Mode.ASK),
    (call(FOREIGN, {"to": NADIA, "text": f"password for {NADIA}"}, is_("to", NADIA)), Mode.ASK),
    (call(FOREIGN, {"to": NADIA, "text": "x@ y"}, is_("to", NADIA)), Mode.ASK),
]


@pytest.mark.parametrize(("facts", "mode"), TABLE)
def test_after_outside_content_an_exception_counts_only_where_it_fixes_all_that_matters(
    facts: Facts, mode: Mode
) -> None:
    decision = decide(facts)

    assert decision.mode is mode
    assert (decision.exception == "e") == (mode is Mode.TELL)


@pytest.mark.parametrize(
    ("tool", "scope", "arguments", "outside", "mode"),
    [
        (CONFIRM, {}, {"to": EVE}, False, Mode.TELL),
        (CONFIRM, {"to": NADIA}, {"to": NADIA}, False, Mode.TELL),
        (CONFIRM, {"to": NADIA}, {"to": EVE}, False, Mode.ASK),
        (CONFIRM, {"to": NADIA, "cc": None}, {"to": NADIA, "cc": EVE}, False, Mode.ASK),
        (CONFIRM, {"to": NADIA, "cc": None}, {"to": NADIA, "cc": []}, True, Mode.TELL),
        (CONFIRM, {}, {"to": NADIA}, True, Mode.ASK),
        (MAIL, {"to": NADIA}, {"to": NADIA, "body": "Dear"}, True, Mode.ASK),
        (REFUND, {"order": "1"}, {"order": "1", "amount": 5}, True, Mode.TELL),
        (REFUND, {"order": "1"}, {"order": "2", "amount": 5}, True, Mode.ASK),
        (REFUND, {}, {"order": "1", "amount": 5}, True, Mode.ASK),
        (FOREIGN, {"iban": "FR1"}, {"iban": "FR1", "sum": 5}, True, Mode.ASK),
        (FOREIGN, {"sum": True}, {"sum": 1}, False, Mode.ASK),
    ],
)
def test_a_grant_counts_within_its_scope(
    tool: ToolView, scope: dict[str, Json], arguments: dict[str, Json], outside: bool, mode: Mode
) -> None:
    facts = Facts(tool, grants=(GrantView("g", tool.name, scope),), arguments=arguments, outside_read=outside)

    assert decide(facts).mode is mode


def test_always_on_the_first_of_three_leaves_the_others_waiting() -> None:
    """Case 14: what was granted for one call covers its like, not whatever else is queued."""
    queued: list[dict[str, Json]] = [{"to": NADIA}, {"to": "omar@colibri.fr"}, {"to": NADIA, "cc": EVE}]
    narrow = GrantView("g", CONFIRM.name, narrow_scope(CONFIRM, queued[0]))

    modes = [decide(Facts(CONFIRM, arguments=one, grants=(narrow,))).mode for one in queued]

    assert modes == [Mode.TELL, Mode.ASK, Mode.ASK]


@pytest.mark.parametrize(
    ("facts", "widths"),
    [
        (Facts(CONFIRM, arguments={"to": NADIA}), ["narrow", "wide"]),
        (Facts(CONFIRM, arguments={"to": NADIA}, outside_read=True), ["narrow"]),
        (Facts(MAIL, arguments={"to": NADIA, "body": "Dear"}, outside_read=True), []),
        (Facts(CONFIRM, arguments={"to": NADIA}, on_trial=True), []),
        (Facts(CONFIRM, arguments={"to": NADIA}, person_refused=True), []),
        (Facts(replace(CONFIRM, kind=Kind.DELETE), arguments={"to": NADIA}), []),
        (Facts(replace(CONFIRM, kind=Kind.DRAFT), arguments={"to": NADIA}), []),
    ],
)
def test_always_is_offered_only_where_it_can_help(facts: Facts, widths: list[str]) -> None:
    assert [offer.width for offer in grants_offered(facts)] == widths


def test_words_that_are_not_needed_do_not_help() -> None:
    told = Facts(CONFIRM, ModeSheet(kinds={Kind.ACT: Mode.TELL}), arguments={"to": NADIA})

    assert not would_help(told, said(CONFIRM))
    assert would_help(replace(told, outside_read=True), said(CONFIRM, is_("to", NADIA)))


def test_the_editor_can_say_what_an_exception_lets_through_and_what_not() -> None:
    letter = reach(said(MAIL, is_("to", NADIA)), Facts(MAIL))
    template = reach(said(CONFIRM, is_("to", NADIA)), Facts(CONFIRM))
    anybody = reach(said(CONFIRM), Facts(CONFIRM))
    foreign = reach(said(FOREIGN, is_("iban", "FR1")), Facts(FOREIGN), ("iban", "text"))

    assert (letter.as_it_starts, letter.after_outside, letter.free_text) == (True, False, MAIL.leaves)
    assert (template.as_it_starts, template.after_outside, template.uses_per_day) == (True, True, 10)
    assert (anybody.after_outside, anybody.open_targets) == (False, CONFIRM.targets)
    assert (foreign.after_outside, foreign.open_targets) == (False, frozenset({"text"}))


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        (Facts(CONFIRM, on_trial=True), "trial"),
        (Facts(replace(CONFIRM, kind=Kind.DELETE)), "delete"),
        (Facts(CONFIRM, ModeSheet(tools={"confirm_booking": Mode.NEVER})), "job_sheet"),
    ],
)
def test_the_editor_names_the_rule_that_no_exception_passes(facts: Facts, rule: str) -> None:
    found = reach(said(CONFIRM, is_("to", NADIA)), facts)

    assert (found.needed, found.as_it_starts, found.held_by) == (False, False, rule)


def test_an_exception_that_holds_after_outside_content_has_ten_uses_a_day_unless_the_manager_says_so() -> None:
    decision = decide(call(CONFIRM, {"to": NADIA}, is_("to", NADIA)))

    assert allowance(said(CONFIRM), overrides=overrode_outside(decision)) == 10
    assert allowance(replace(said(CONFIRM), uses_per_day=3), overrides=True) == 3
    assert allowance(said(CONFIRM), overrides=False) is None
