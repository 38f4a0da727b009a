"""Does the matrix say what would really happen, and what a change of the job sheet would change?"""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from app.policy import explain as room
from app.policy.decide import decide
from app.policy.decision import Facts, Kind, Limits, Mode, ModeSheet, ToolView
from app.policy.explain import Situation, changes, explain

TOOLS = (
    ToolView("lookup_order", Kind.READ),
    ToolView("fetch_page", Kind.READ, reads_outside=True),
    ToolView("save_draft", Kind.DRAFT),
    ToolView("send_reply", Kind.ACT),
    ToolView("cancel_order", Kind.DELETE),
)
LOOSE = ModeSheet(kinds={Kind.DRAFT: Mode.DO, Kind.ACT: Mode.TELL})


def table(sheet: ModeSheet, situation: Situation | None = None) -> list[tuple[str, str, str, str, str]]:
    rows = explain(sheet, TOOLS, situation)
    return [(row.tool, row.mode, row.rule, row.mode_after_outside, row.rule_after_outside) for row in rows]


def test_the_matrix_as_it_starts_and_after_outside_content() -> None:
    assert table(LOOSE) == [
        ("lookup_order", "do", "default", "do", "default"),
        ("fetch_page", "do", "default", "ask", "outside_content"),
        ("save_draft", "do", "job_sheet", "tell", "outside_content"),
        ("send_reply", "tell", "job_sheet", "ask", "outside_content"),
        ("cancel_order", "ask", "default", "ask", "default"),
    ]


def test_the_matrix_on_trial_and_under_limits() -> None:
    trial = Situation(limits=(Limits(floors={Kind.DRAFT: Mode.ASK}),), on_trial=True)

    assert [row[:3] for row in table(LOOSE, trial)] == [
        ("lookup_order", "do", "default"),
        ("fetch_page", "do", "default"),
        ("save_draft", "ask", "limits"),
        ("send_reply", "ask", "trial"),
        ("cancel_order", "never", "trial"),
    ]


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("tool", TOOLS)
def test_each_row_is_the_decision_of_a_call(tool: ToolView, public: bool) -> None:
    (row,) = explain(LOOSE, [tool], Situation(public_channel=public))

    assert row.start == decide(Facts(tool, LOOSE, public_channel=public))
    assert row.after_outside == decide(Facts(tool, LOOSE, public_channel=public, outside_read=True))


def test_saving_a_sheet_says_what_it_loosens_and_tightens() -> None:
    then = replace(LOOSE, kinds={}, tools={"send_reply": Mode.NEVER, "lookup_order": Mode.ASK, "cancel_order": Mode.DO})
    found = changes(explain(LOOSE, TOOLS), explain(then, TOOLS))

    assert [(one.tool, one.moment, one.before, one.after, one.way) for one in found] == [
        ("lookup_order", "start", "do", "ask", "stricter"),
        ("lookup_order", "after_outside", "do", "ask", "stricter"),
        ("save_draft", "start", "do", "tell", "stricter"),
        ("send_reply", "start", "tell", "never", "stricter"),
        ("send_reply", "after_outside", "ask", "never", "stricter"),
    ]
    assert {one.way for one in changes(explain(then, TOOLS), explain(LOOSE, TOOLS))} == {"looser"}


def test_a_tool_that_comes_or_goes_is_a_change() -> None:
    found = changes(explain(LOOSE, TOOLS[:2]), explain(LOOSE, TOOLS[1:3]))

    assert [(one.tool, one.before, one.after, one.way) for one in found if one.moment == "start"] == [
        ("save_draft", None, "do", "new"),
        ("lookup_order", "do", None, "gone"),
    ]


def test_nothing_changes_where_nothing_changed() -> None:
    assert changes(explain(LOOSE, TOOLS), explain(LOOSE, TOOLS)) == ()


def test_the_matrix_knows_no_rule_of_its_own() -> None:
    """A second implementation would be a comparison of kinds or modes in this file; `changes` compares outcomes."""
    tree = ast.parse(Path(str(room.__file__)).read_text(encoding="utf-8"))
    named = {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }

    assert not {f"Kind.{kind.name}" for kind in Kind} & named
    assert not {f"Mode.{mode.name}" for mode in Mode} & named
