"""Which calls are one too many? A table, and what each refusal tells the model to do instead."""

from dataclasses import replace

import pytest

from app.policy.decision import Kind
from app.runs.guards import Earlier, refuse
from app.runs.limits import CHAT
from app.runs.states import CallStatus

DONE, FAILED, REFUSED, ASKING = CallStatus.DONE, CallStatus.FAILED, CallStatus.REFUSED, CallStatus.ASKING
UNCERTAIN, RUNNING, READY = CallStatus.UNCERTAIN, CallStatus.RUNNING, CallStatus.READY
LOOK = Earlier("lookup_order", Kind.READ, DONE, "a", "a")
OTHER = replace(LOOK, mark="b", nearly="b")
PAY = Earlier("refund_order", Kind.ACT, DONE, "p", "p")
NOTE = Earlier("save_draft", Kind.DRAFT, DONE, "d", "d")


def stopped_by(earlier: list[Earlier], now: Earlier, *, uses: int | None = None, changes: bool = False) -> str | None:
    refusal = refuse(earlier, now, CHAT, uses=uses, changes_by_itself=changes)
    return refusal.guard if refusal else None


@pytest.mark.parametrize(
    ("earlier", "now", "guard"),
    [
        ([], LOOK, None),
        ([LOOK], LOOK, "same_call"),
        ([LOOK], replace(LOOK, mark="z"), "same_call"),  # nearly the same is the same
        ([LOOK], OTHER, None),
        ([LOOK], replace(LOOK, tool="search_catalogue"), None),
        ([replace(LOOK, status=FAILED)], LOOK, None),  # what failed may be tried again
        ([replace(LOOK, status=REFUSED)], LOOK, None),  # the policy answers to that
        ([replace(PAY, status=UNCERTAIN)], PAY, None),  # the policy asks for that
        ([replace(PAY, status=ASKING)], PAY, "same_call"),  # it waits for a person already
        ([replace(PAY, status=READY)], PAY, "same_call"),
        ([replace(PAY, status=RUNNING)], PAY, "same_call"),
        ([LOOK, PAY], LOOK, None),  # a read after a write is new
        ([LOOK, NOTE], LOOK, None),
        ([LOOK, replace(PAY, status=UNCERTAIN)], LOOK, None),
        ([LOOK, replace(PAY, status=REFUSED)], LOOK, "same_call"),
        ([LOOK, replace(PAY, status=FAILED)], LOOK, "same_call"),
        ([PAY, NOTE], PAY, "same_call"),  # an effect is not made new by another one
        ([LOOK, PAY, LOOK], LOOK, "same_call"),
    ],
)
def test_the_same_call_that_succeeded_is_refused(earlier: list[Earlier], now: Earlier, guard: str | None) -> None:
    assert stopped_by(earlier, now) == guard


def many(count: int, status: CallStatus = DONE) -> list[Earlier]:
    return [replace(LOOK, mark=str(n), nearly=str(n), status=status) for n in range(count)]


@pytest.mark.parametrize(
    ("earlier", "uses", "guard"),
    [
        (many(4), None, None),
        (many(5), None, "tool_limit"),
        (many(5, FAILED), None, "tool_limit"),  # failed ones count
        (many(5, REFUSED), None, None),  # blocked ones do not
        (many(9), 10, None),
        (many(10), 10, "tool_limit"),
        ([replace(one, tool="another") for one in many(9)], None, None),
    ],
)
def test_a_tool_is_used_five_times_unless_it_says_otherwise(
    earlier: list[Earlier], uses: int | None, guard: str | None
) -> None:
    assert stopped_by(earlier, OTHER, uses=uses) == guard


@pytest.mark.parametrize(
    ("results", "guard"),
    [(["1"], None), (["1", "1"], None), (["1", "1", "1"], "same_result"), (["1", "1", "2"], None), (["1", "2"], None)],
)
def test_an_answer_that_changes_by_itself_is_asked_for_until_it_repeats(results: list[str], guard: str | None) -> None:
    earlier = [replace(LOOK, result_mark=result) for result in results]
    assert stopped_by(earlier, LOOK, uses=30, changes=True) == guard


def test_each_refusal_says_what_to_do_instead() -> None:
    same = refuse([LOOK], LOOK, CHAT, uses=None, changes_by_itself=False)
    limit = refuse(many(5), OTHER, CHAT, uses=None, changes_by_itself=False)
    assert same is not None and "use the earlier result" in same.text
    assert limit is not None and "Conclude with what you have" in limit.text
