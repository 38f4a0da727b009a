"""Does each rule of the policy do what section 3 of the design says, alone and beside the others?"""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from app.policy.decide import RULE_NAMES, decide, listed
from app.policy.decision import (
    CeilingFact,
    Comparison,
    Condition,
    Decision,
    Facts,
    GrantView,
    Kind,
    Limits,
    Mode,
    ModeSheet,
    StandingException,
    ToolView,
    replay,
)

READ = ToolView("lookup_order", Kind.READ)
FETCH = ToolView("fetch_page", Kind.READ, reads_outside=True, targets=frozenset({"address"}))
FILE = ToolView("file_ticket", Kind.ORGANIZE)
DRAFT = ToolView("save_draft", Kind.DRAFT)
MAIL = ToolView("send_mail", Kind.ACT, targets=frozenset({"to", "cc"}), leaves=frozenset({"subject", "body"}))
REFUND = ToolView("refund_order", Kind.ACT, targets=frozenset({"order"}), bound=frozenset({"order"}))
CONFIRM = ToolView("confirm_booking", Kind.ACT, targets=frozenset({"to"}))
DROP = ToolView("drop_order", Kind.DELETE)
FOREIGN = ToolView("shop__pay", Kind.ACT, foreign=True)

LOOSE = ModeSheet(kinds=dict.fromkeys(Kind, Mode.DO))
TOLD = ModeSheet(kinds={Kind.ACT: Mode.TELL})
PUBLIC = ModeSheet(public_tools=frozenset({"refund_order"}), tools={"refund_order": Mode.TELL})
OFF = replace(LOOSE, outside_content_rule=False)
SENTENCE = "Refunds up to 20 EUR need no question."
SMALL = StandingException("e1", SENTENCE, frozenset({"refund_order"}), (Condition("amount", Comparison.AT_MOST, "20"),))
TO_NADIA = StandingException(
    "e2", "Confirm to Nadia.", frozenset({"confirm_booking"}), (Condition("to", Comparison.IS, "nadia@colibri.fr"),)
)
WITH = ModeSheet(exceptions=(SMALL, TO_NADIA))
PAID = {"order": "1001", "amount": "12.50"}
HERS = {"to": "nadia@colibri.fr"}


def total(used: str, this: str, *, soft: bool) -> tuple[CeilingFact, ...]:
    """A ceiling of 150 EUR with so much used."""
    return (CeilingFact("refunds", soft, Decimal(150), Decimal(used), Decimal(this), "EUR"),)


def quote(**facts: object) -> Facts:
    """A refund of 12.50 that quotes the exception for it."""
    return replace(Facts(REFUND, WITH, cited=SENTENCE, arguments=PAID), **facts)  # type: ignore[arg-type]


CASES = [
    # default
    (Facts(READ), Mode.DO, ["default"]),
    (Facts(FILE), Mode.TELL, ["default"]),
    (Facts(DRAFT), Mode.TELL, ["default"]),
    (Facts(REFUND), Mode.ASK, ["default"]),
    (Facts(DROP), Mode.ASK, ["default"]),
    # job_sheet
    (Facts(REFUND, TOLD), Mode.TELL, ["job_sheet"]),
    (Facts(FILE, TOLD), Mode.TELL, ["default"]),
    (Facts(REFUND, ModeSheet({Kind.ACT: Mode.DO}, {"refund_order": Mode.NEVER})), Mode.NEVER, ["job_sheet"]),
    (Facts(READ, ModeSheet({Kind.READ: Mode.ASK}, {"lookup_order": Mode.DO})), Mode.DO, ["job_sheet"]),
    (Facts(DROP, LOOSE), Mode.ASK, ["job_sheet"]),
    (Facts(DROP, ModeSheet(tools={"drop_order": Mode.TELL})), Mode.ASK, ["job_sheet"]),
    (Facts(DROP, ModeSheet(tools={"drop_order": Mode.NEVER})), Mode.NEVER, ["job_sheet"]),
    # limits
    (Facts(DROP, limits=(Limits(frozenset({Kind.DELETE})),)), Mode.NEVER, ["default", "limits"]),
    (Facts(REFUND, LOOSE, (Limits(floors={Kind.ACT: Mode.ASK}),)), Mode.ASK, ["job_sheet", "limits"]),
    (Facts(REFUND, LOOSE, (Limits(tools={"refund_order": Mode.TELL}),)), Mode.TELL, ["job_sheet", "limits"]),
    (Facts(REFUND, LOOSE, (Limits(), Limits(frozenset({Kind.ACT})))), Mode.NEVER, ["job_sheet", "limits"]),
    (
        Facts(REFUND, LOOSE, (Limits(floors={Kind.ACT: Mode.TELL}), Limits(floors={Kind.ACT: Mode.ASK}))),
        Mode.ASK,
        ["job_sheet", "limits"],
    ),
    # ceiling
    (Facts(REFUND, LOOSE, ceilings=total("100", "50", soft=True)), Mode.DO, ["job_sheet"]),
    (Facts(REFUND, LOOSE, ceilings=total("100", "50.01", soft=True)), Mode.ASK, ["job_sheet", "ceiling"]),
    (Facts(REFUND, LOOSE, ceilings=total("100", "-1", soft=True)), Mode.ASK, ["job_sheet", "ceiling"]),
    (Facts(REFUND, LOOSE, ceilings=total("0", "NaN", soft=True)), Mode.ASK, ["job_sheet", "ceiling"]),
    (Facts(FILE, things=10), Mode.TELL, ["default"]),
    (Facts(FILE, things=11), Mode.ASK, ["default", "ceiling"]),
    (Facts(READ, things=500), Mode.DO, ["default"]),
    # unreviewed
    (Facts(replace(READ, reviewed=False)), Mode.ASK, ["default", "unreviewed"]),
    (Facts(replace(FOREIGN, changed=True)), Mode.NEVER, ["default", "unreviewed"]),
    # trial
    (Facts(REFUND, TOLD, on_trial=True), Mode.ASK, ["job_sheet", "trial"]),
    (Facts(REFUND, on_trial=True), Mode.ASK, ["default", "trial"]),
    (Facts(DROP, on_trial=True), Mode.NEVER, ["default", "trial"]),
    (Facts(FILE, on_trial=True), Mode.TELL, ["default"]),
    (Facts(MAIL, ModeSheet(tools={"send_mail": Mode.NEVER}), on_trial=True), Mode.NEVER, ["job_sheet", "trial"]),
    # channel
    (Facts(READ, public_channel=True), Mode.NEVER, ["default", "channel"]),
    (Facts(replace(READ, open_to_strangers=True), public_channel=True), Mode.DO, ["default"]),
    (Facts(replace(FILE, open_to_strangers=True), public_channel=True), Mode.NEVER, None),
    (Facts(replace(READ, bound_to_customer=True), public_channel=True), Mode.NEVER, ["default", "channel"]),
    (Facts(replace(READ, bound_to_customer=True), public_channel=True, customer_verified=True), Mode.DO, ["default"]),
    (Facts(REFUND, PUBLIC, public_channel=True), Mode.ASK, ["job_sheet", "outside_content"]),
    (Facts(replace(REFUND, house_only=True), PUBLIC, public_channel=True), Mode.NEVER, None),
    # outside_content
    (Facts(READ, outside_read=True), Mode.DO, ["default"]),
    (Facts(FILE, LOOSE, outside_read=True), Mode.TELL, ["job_sheet", "outside_content"]),
    (Facts(DRAFT, LOOSE, outside_read=True), Mode.TELL, ["job_sheet", "outside_content"]),
    (Facts(REFUND, LOOSE, outside_read=True), Mode.ASK, ["job_sheet", "outside_content"]),
    (Facts(DROP, outside_read=True), Mode.ASK, ["default", "outside_content"]),
    (Facts(REFUND, OFF, outside_read=True), Mode.DO, ["job_sheet"]),
    (Facts(FETCH), Mode.DO, ["default"]),
    (Facts(FETCH, outside_read=True), Mode.ASK, ["default", "outside_content"]),
    (Facts(FETCH, outside_read=True, house_read=False), Mode.DO, ["default"]),
    (Facts(FETCH, outside_read=True, address_listed=True), Mode.DO, ["default"]),
    (Facts(replace(READ, foreign=True), outside_read=True), Mode.ASK, ["default", "outside_content"]),
    # refused_before
    (Facts(REFUND, TOLD, refused="same_target"), Mode.ASK, ["job_sheet", "refused_before"]),
    (Facts(REFUND, TOLD, refused="uncertain"), Mode.ASK, ["job_sheet", "refused_before"]),
    (Facts(READ, refused="same_target"), Mode.DO, ["default"]),
    (Facts(READ, refused="uncertain"), Mode.ASK, ["default", "refused_before"]),
    # own_words
    (quote(), Mode.TELL, ["default", "own_words"]),
    (quote(cited="  REFUNDS up to 20\u00a0EUR\nneed no question. "), Mode.TELL, ["default", "own_words"]),
    (quote(cited="Refunds up to 2000 EUR need no question."), Mode.ASK, ["default", "own_words"]),
    (quote(cited=None), Mode.ASK, ["default"]),
    (quote(cited=""), Mode.ASK, ["default"]),
    (quote(arguments=PAID | {"amount": "20.01"}), Mode.ASK, ["default", "own_words"]),
    (quote(arguments=PAID | {"amount": "-5"}), Mode.ASK, ["default", "own_words"]),
    (quote(arguments={"order": "1001"}), Mode.ASK, ["default", "own_words"]),
    (quote(tool=CONFIRM), Mode.ASK, ["default", "own_words"]),
    (quote(tool=replace(DROP, name="refund_order")), Mode.ASK, ["default", "own_words"]),
    (quote(limits=(Limits(floors={Kind.ACT: Mode.ASK}),)), Mode.ASK, ["default", "limits", "own_words"]),
    (quote(limits=(Limits(floors={Kind.ACT: Mode.TELL}),)), Mode.TELL, ["default", "limits", "own_words"]),
    (quote(ceilings=total("140", "12.50", soft=True)), Mode.ASK, ["default", "ceiling", "own_words"]),
    (quote(tool=replace(REFUND, reviewed=False)), Mode.ASK, ["default", "unreviewed", "own_words"]),
    (quote(on_trial=True), Mode.ASK, ["default", "trial", "own_words"]),
    (quote(public_channel=True), Mode.NEVER, ["default", "channel", "outside_content"]),
    (quote(outside_read=True), Mode.TELL, ["default", "outside_content", "own_words"]),
    (quote(refused="same_target"), Mode.ASK, ["default", "refused_before", "own_words"]),
    (quote(person_refused=True), Mode.ASK, ["default", "own_words"]),
    (Facts(REFUND, grants=(GrantView("g", "refund_order"),)), Mode.TELL, ["default", "own_words"]),
    (Facts(MAIL, grants=(GrantView("g", "refund_order"),)), Mode.ASK, ["default"]),
    (Facts(CONFIRM, WITH, outside_read=True, cited="Confirm to Nadia.", arguments=HERS), Mode.TELL, None),
]


@pytest.mark.parametrize(("facts", "mode", "because"), CASES)
def test_mode_and_reason(facts: Facts, mode: Mode, because: list[str] | None) -> None:
    decision = decide(facts)

    assert (decision.mode, decision.refusal) == (mode, None)
    assert because is None or [step.rule for step in decision.trail] == because
    assert replay(decision.trail) is mode
    assert Decision.from_json(decision.to_json()) == decision


def test_rule_names_are_data_and_never_change_without_a_migration() -> None:
    assert RULE_NAMES == (
        "default",
        "job_sheet",
        "limits",
        "ceiling",
        "unreviewed",
        "trial",
        "channel",
        "outside_content",
        "refused_before",
        "own_words",
    )


def test_a_hard_ceiling_refuses_the_call_and_leaves_the_tool_in_the_list() -> None:
    facts = Facts(REFUND, LOOSE, ceilings=total("140", "12.50", soft=False))

    decision = decide(facts)

    assert decision.refusal == "ceiling"
    assert decision.trail[-1].note == {"ceiling": "refunds", "over": "2.50", "unit": "EUR", "hard": "yes"}
    assert listed(facts)


def test_a_soft_ceiling_asks_and_says_by_how_much_it_is_passed() -> None:
    decision = decide(Facts(REFUND, LOOSE, ceilings=total("140", "12.50", soft=True)))

    assert decision.refusal is None
    assert decision.trail[-1].note["over"] == "2.50"


def test_another_way_to_what_was_rejected_asks_and_shows_the_refusal() -> None:
    """Case 23: after a no, the same effect through another tool is not done by itself, whatever was granted."""
    draft = decide(Facts(FILE, refused="same_target", grants=(GrantView("g", "file_ticket"),)))

    assert (draft.mode, draft.because) == (Mode.ASK, "refused_before")
    assert [step.note for step in draft.trail if step.rule == "refused_before"] == [{"refused": "same_target"}]


def test_what_a_person_rejected_is_refused_without_a_new_request() -> None:
    decision = decide(quote(refused="no", grants=(GrantView("g", "refund_order"),)))

    assert (decision.mode, decision.refusal) == (Mode.ASK, "refused_before")


@pytest.mark.parametrize(
    "facts",
    [
        Facts(REFUND, ModeSheet(tools={"refund_order": Mode.NEVER})),
        Facts(DROP, on_trial=True),
        Facts(READ, public_channel=True),
        Facts(replace(FOREIGN, changed=True)),
        Facts(DROP, limits=(Limits(frozenset({Kind.DELETE})),)),
    ],
)
def test_never_is_absent_and_stays_so_whatever_is_quoted_or_granted(facts: Facts) -> None:
    words = StandingException("e", "Just do it.", frozenset({facts.tool.name}))
    spoken = replace(
        facts,
        sheet=replace(facts.sheet, exceptions=(words,)),
        cited="Just do it.",
        grants=(GrantView("g", facts.tool.name),),
    )

    assert not listed(spoken)
    assert decide(spoken).mode is Mode.NEVER


def test_an_invented_exception_is_noted_on_the_call_also_where_nothing_asks() -> None:
    for sheet in (WITH, TOLD):
        assert decide(Facts(REFUND, sheet, cited="Refund everything.")).trail[-1].note == {"cited": "unknown"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"uses_left": 0}, "used_up"),
        ({"ends_on": date(2026, 3, 1)}, "ended"),
        ({"tools": frozenset({"send_mail"})}, "other_tool"),
    ],
)
def test_an_exception_that_no_longer_holds_says_why(change: dict[str, object], why: str) -> None:
    sheet = ModeSheet(exceptions=(replace(SMALL, **change),))  # type: ignore[arg-type]

    decision = decide(quote(sheet=sheet, today=date(2026, 3, 2)))

    assert (decision.mode, decision.trail[-1].note) == (Mode.ASK, {"cited": why})


def test_an_exception_holds_on_its_last_day_and_not_where_the_day_is_unknown() -> None:
    sheet = ModeSheet(exceptions=(replace(SMALL, ends_on=date(2026, 3, 1)),))

    assert decide(quote(sheet=sheet, today=date(2026, 3, 1))).exception == "e1"
    assert decide(quote(sheet=sheet)).mode is Mode.ASK


def test_the_tool_and_the_run_that_changed_while_a_request_waited_are_decided_anew() -> None:
    """Case 18: what was asked under one policy is refused under the next, with the rule that says why."""
    asked = Facts(REFUND)
    now = {
        "job_sheet": replace(asked, sheet=ModeSheet(tools={"refund_order": Mode.NEVER})),
        "unreviewed": replace(asked, tool=replace(REFUND, changed=True)),
        "limits": replace(asked, limits=(Limits(frozenset({Kind.ACT})),)),
        "channel": replace(asked, public_channel=True),
    }

    assert decide(asked).mode is Mode.ASK
    assert {rule: decide(facts).because for rule, facts in now.items()} == {rule: rule for rule in now}
