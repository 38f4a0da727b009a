"""What an answer's end means: every stop reason with and without calls, and what could never be sent back."""

import pytest
from pydantic import JsonValue

from app.model.stops import Then, calls_in, text_in, then

SAY: JsonValue = {"type": "text", "text": "Hello."}
CALL: JsonValue = {"type": "tool_use", "id": "toolu_1", "name": "read_mail", "input": {}}
THINK: JsonValue = {"type": "thinking", "thinking": "…", "signature": "s"}
TABLE = [
    ("end_turn", Then.DONE, Then.CALLS),
    ("tool_use", Then.UNREADABLE, Then.CALLS),
    ("stop_sequence", Then.DONE, Then.CALLS),
    ("max_tokens", Then.RAISE_CAP, Then.RAISE_CAP),
    ("pause_turn", Then.AS_IT_IS, Then.UNREADABLE),
    ("refusal", Then.REFUSED, Then.REFUSED),
    ("model_context_window_exceeded", Then.FULL, Then.FULL),
    (None, Then.UNREADABLE, Then.UNREADABLE),
    ("a_reason_of_tomorrow", Then.UNREADABLE, Then.UNREADABLE),
]


@pytest.mark.parametrize(("reason", "without", "with_calls"), TABLE)
def test_each_stop_reason_with_and_without_calls(reason: str | None, without: Then, with_calls: Then) -> None:
    assert then(reason, [SAY]) is without
    assert then(reason, [SAY, CALL]) is with_calls
    assert then(reason, [THINK, CALL]) is with_calls


@pytest.mark.parametrize(
    "block",
    [
        "words",
        None,
        {},
        {"type": "a_block_of_tomorrow"},
        {"type": ["text"]},
        {"type": "text"},
        {"type": "text", "text": ""},
        {"type": "text", "text": " \n\t"},
        {"type": "text", "text": 7},
        {"type": "tool_use", "id": "a b", "name": "read_mail", "input": {}},
        {"type": "tool_use", "id": "", "name": "read_mail", "input": {}},
        {"type": "tool_use", "id": 7, "name": "read_mail", "input": {}},
        {"type": "tool_use", "name": "read_mail", "input": {}},
        {"type": "tool_use", "id": "b", "name": "", "input": {}},
        {"type": "tool_use", "id": "b", "name": "x" * 201, "input": {}},
        {"type": "tool_use", "id": "b", "name": "nul\0", "input": {}},
        {"type": "tool_use", "id": "b", "name": "read_mail", "input": []},
        {"type": "tool_use", "id": "b", "name": "read_mail"},
    ],
)
def test_what_could_not_be_sent_back_makes_the_whole_answer_unreadable(block: JsonValue) -> None:
    assert then("end_turn", [SAY, block]) is Then.UNREADABLE
    assert then("tool_use", [CALL, block]) is Then.UNREADABLE


def test_no_content_is_no_answer() -> None:
    assert then("end_turn", []) is Then.UNREADABLE
    assert then("end_turn", [THINK]) is Then.UNREADABLE


def test_a_refusal_without_a_word_is_a_refusal() -> None:
    assert then("refusal", []) is Then.REFUSED


def test_two_calls_with_one_id_are_unreadable_in_one_answer_and_in_two() -> None:
    assert then("tool_use", [CALL, CALL]) is Then.UNREADABLE
    assert then("tool_use", [CALL], seen={"toolu_1"}) is Then.UNREADABLE
    assert then("tool_use", [CALL], seen={"toolu_2"}) is Then.CALLS


def test_a_pause_that_ends_in_white_space_cannot_be_continued() -> None:
    assert then("pause_turn", [{"type": "text", "text": "One moment "}]) is Then.UNREADABLE


def test_its_words_and_its_calls() -> None:
    blocks: list[JsonValue] = [SAY, CALL, {"type": "text", "text": "  "}, {"type": "text", "text": "Bye."}]
    assert text_in(blocks) == "Hello.\n\nBye."
    assert calls_in(blocks) == [CALL]
