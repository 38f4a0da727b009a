"""Which bugs were planted into the core? Each takes away one thing that holds a promise; one test must miss it."""

from dataclasses import dataclass

PROMISES = {
    "1": "tests/promises/test_01_absent_not_forbidden.py::test_",
    "2": "tests/promises/test_02_what_asks_waits.py::test_",
    "3": "tests/promises/test_03_silence_is_refusal.py::test_",
    "4": "tests/promises/test_04_one_decision.py::test_",
    "5": "tests/promises/test_05_at_most_one_effect.py::test_",
    "6": "tests/promises/test_06_every_call_gets_its_result.py::test_",
    "7": "tests/promises/test_07_it_always_ends.py::test_",
    "12": "tests/budget/test_reserve.py::test_",
    "13": "tests/promises/test_13_nothing_lives_only_in_memory.py::test_",
}


@dataclass(frozen=True, slots=True)
class Bug:
    """A text of a file of `app` and what it is replaced by; the promise that breaks, and the test that notices."""

    promise: str
    file: str
    old: str
    new: str
    test: str

    @property
    def judge(self) -> str:
        """The test, as pytest takes it."""
        return PROMISES[self.promise] + self.test


BUGS = (
    Bug(
        "4",
        "approvals/answer.py",
        ".where(Approval.status == ApprovalStatus.PENDING)\n        .values(\n            status=status,",
        ".values(\n            status=status,",
        "of_twenty_answers_at_once_one_counts",
    ),
    Bug(
        "2",
        "runs/effects.py",
        "if not same or exact != approval.arguments_mark or exact != call.arguments_mark:",
        "if not exact:",
        "arguments_changed_in_both_do_not_match_the_hash",
    ),
    Bug(
        "3",
        "approvals/answer.py",
        ".returning(Approval.expires_at > func.clock_timestamp())",
        ".returning(Approval.expires_at.is_not(None))",
        "an_answer_one_second_late_is_too_late_without_any_sweep[approve]",
    ),
    Bug(
        "3",
        "runs/effects.py",
        "approval.decided_at is None or approval.decided_at >= approval.expires_at:",
        "approval.decided_at is None:",
        "a_yes_that_was_given_after_the_deadline_is_not_carried_out",
    ),
    Bug(
        "3",
        "approvals/expire.py",
        ", Approval.expires_at <= func.clock_timestamp())",
        ")",
        "a_request_whose_time_has_not_come_is_not_refused",
    ),
    Bug(
        "3",
        "runs/facts.py",
        'BY_A_PERSON = frozenset({"person", "silence"})',
        'BY_A_PERSON = frozenset({"person"})',
        "after_silence_the_same_call_is_refused_without_asking_again",
    ),
    Bug(
        "13",
        "runs/claim.py",
        ".where(Run.lease_token == self.token, Run.status == RunStatus.RUNNING)\n                .values(lease_until",
        ".where(Run.status == RunStatus.RUNNING)\n                .values(lease_until",
        "while_another_worker_holds_the_run_the_one_that_lost_it_writes_nothing",
    ),
    Bug(
        "13",
        "runs/claim.py",
        ".where(Run.lease_token == self.token, Run.status == RunStatus.RUNNING)\n                .values(status",
        ".where(Run.status == RunStatus.RUNNING)\n                .values(status",
        "a_worker_that_lost_a_run_does_not_give_it_back_out_of_another_s_hands",
    ),
    Bug(
        "4",
        "approvals/answer.py",
        "    await wake(session, by.tenant_id, approval.run_id)\n",
        "",
        "three_requests_of_one_turn_are_decided_each_for_itself",
    ),
    Bug(
        "2",
        "runs/effects.py",
        "if not await may_decide(session, approval.decided_by, situation.agent.id):",
        "if approval.decided_by is None:",
        "a_yes_of_somebody_who_may_no_longer_decide_is_asked_again",
    ),
    Bug(
        "2",
        "runs/effects.py",
        "situation.now - approval.decided_at > limits.start_after_yes",
        "situation.now < approval.decided_at",
        "a_yes_older_than_a_day_is_asked_again",
    ),
    Bug(
        "7",
        "runs/effects.py",
        "if run.cancelled_by is not None or situation.agent.status",
        "if situation.agent.status",
        "ended_or_paused_during_an_effect_no_other_one_starts[ended]",
    ),
    Bug(
        "5",
        "runs/effects.py",
        "call.idempotency_key = call.idempotency_key or str(uuid4())",
        "call.idempotency_key = str(uuid4())",
        "a_worker_killed_anywhere_around_an_effect_leaves_one_at_most[refund-after_effect]",
    ),
    Bug(
        "5",
        "runs/outcome.py",
        "if ours_to_read or within:",
        "if tool is not None:",
        "a_worker_killed_anywhere_around_an_effect_leaves_one_at_most[mail-after_effect]",
    ),
    Bug(
        "5",
        "runs/attempt.py",
        "    if tool.kind is not Kind.READ:\n        return Outcome(CallStatus.UNCERTAIN, told.UNCERTAIN)",
        "    if tool.kind is not Kind.READ:\n        return Outcome(CallStatus.FAILED, told.UNCERTAIN)",
        "an_outcome_that_nobody_knows_waits_for_a_person",
    ),
    Bug(
        "1",
        "runs/call.py",
        "if tool is None or not listed(facts_for(situation, tool, {}, cited=None)):",
        "if tool is None:",
        "a_call_that_names_it_all_the_same_is_an_error_and_does_nothing",
    ),
    Bug(
        "6",
        "runs/answered.py",
        "seen=await _ids_seen(session, run)",
        "seen=()",
        "an_id_that_came_before_is_refused_with_its_whole_turn",
    ),
    Bug(
        "7",
        "runs/answered.py",
        "what in (Then.CALLS, Then.AS_IT_IS)",
        "what is Then.CALLS",
        "a_last_word_that_is_refused_does_not_go_round_for_ever",
    ),
    Bug(
        "12",
        "budget/reserve.py",
        "        .where(Budget.settled_usd + Budget.reserved_usd + most <= Budget.limit_usd)\n        .values",
        "        .values",
        "many_at_once_set_aside_no_more_than_there_is",
    ),
    Bug(
        "12",
        "budget/reserve.py",
        "Usage.id == usage_id, Usage.status == UsageStatus.RESERVED)",
        "Usage.id == usage_id)",
        "what_was_set_aside_is_closed_once_however_often_it_is_tried",
    ),
)
