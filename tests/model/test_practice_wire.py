"""Does the practice model fail on demand, stream, and count as the real one does? Through the real SDK over HTTP."""

import json
import time
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic, APIError, APIStatusError, InternalServerError, RateLimitError
from anthropic.types import Message

from app.model.practice.scenarios.words import WORDS
from tests.model.shop import CUPS, EMMA, TOOLS, house, mail_task

HELLO: Any = [{"role": "user", "content": "Hello"}]
MAIL: Any = [{"role": "user", "content": "A mail has arrived."}]
Ask = Callable[..., Message]


def whole(claude: Anthropic, **request: Any) -> Message:
    return claude.messages.create(**{"model": "practice-model", "max_tokens": 2000, "messages": HELLO, **request})


def streamed(claude: Anthropic, **request: Any) -> Message:
    request = {"model": "practice-model", "max_tokens": 2000, "messages": HELLO, **request}
    with claude.messages.stream(**request) as stream:
        return stream.get_final_message()


BOTH = pytest.mark.parametrize("ask", [whole, streamed])


def script(*turns: list[dict[str, Any]]) -> dict[str, Any]:
    content = f"<script>{json.dumps(turns)}</script>"
    return {"model": "practice-scripted", "messages": [{"role": "user", "content": content}]}


@BOTH
def test_stream_says_the_same_as_the_whole_answer(claude: Anthropic, ask: Ask) -> None:
    turn = [{"thinking": "Ünïcode “thoughts”"}, {"text": "x" * 99}, {"tool": "look", "input": {"a": [1, {"b": "é\n"}]}}]
    answer = ask(claude, **script(turn))

    thought, words, call = answer.content
    assert thought.type == "thinking" and thought.thinking == "Ünïcode “thoughts”" and thought.signature
    assert words.type == "text" and words.text == "x" * 99
    assert call.type == "tool_use" and (call.name, call.input) == ("look", {"a": [1, {"b": "é\n"}]})
    assert (answer.stop_reason, answer.model) == ("tool_use", "practice-scripted")
    assert answer.usage.input_tokens > 1 and answer.usage.output_tokens > 25


def test_events_come_in_the_order_of_the_api(claude: Anthropic) -> None:
    with whole_stream(claude, **script([{"text": "Hi"}])) as stream:
        kinds = [event.type for event in stream]

    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert kinds == ["message_start", *block, "message_delta", "message_stop"]


def whole_stream(claude: Anthropic, **request: Any) -> Any:
    return claude.messages.create(**{"max_tokens": 2000, "stream": True, **request})


@BOTH
@pytest.mark.parametrize("status", [429, 500, 529])
def test_error_status_comes_as_often_as_ordered(
    claude: Anthropic, practice: httpx2.Client, ask: Ask, status: int
) -> None:
    practice.post("/practice/faults", json={"status": status, "times": 2, "retry_after": 86400})

    for _ in range(2):
        with pytest.raises((RateLimitError, InternalServerError)) as failed:
            ask(claude)
        assert failed.value.status_code == status
        assert failed.value.response.headers["retry-after"] == "86400"
    assert ask(claude).stop_reason == "end_turn"
    assert practice.get("/practice/requests").json()["by_status"] == {"200": 1, str(status): 2}


def test_fault_by_header_is_for_this_request_alone(claude: Anthropic) -> None:
    with pytest.raises(APIStatusError) as failed:
        whole(claude, extra_headers={"x-practice-fault": "529"})
    assert failed.value.status_code == 529
    assert whole(claude).content


def test_fault_waits_until_it_is_due(claude: Anthropic, practice: httpx2.Client) -> None:
    practice.post("/practice/faults", json={"status": 529, "after": 1})

    assert whole(claude).content
    with pytest.raises(APIStatusError):
        whole(claude)


@BOTH
def test_connection_breaks_at_the_ordered_byte(claude: Anthropic, practice: httpx2.Client, ask: Ask) -> None:
    for after in (0, 200):
        practice.post("/practice/faults", json={"cut_after_bytes": after})
        with pytest.raises((httpx2.TransportError, APIError)):
            ask(claude)
    assert ask(claude).content


def test_error_event_in_a_stream_comes_with_status_200(claude: Anthropic, practice: httpx2.Client) -> None:
    practice.post("/practice/faults", json={"error_in_stream": 529})

    with pytest.raises(APIStatusError) as failed:
        streamed(claude)
    assert "overloaded_error" in str(failed.value.body)
    assert failed.value.response.status_code == 200


@BOTH
@pytest.mark.parametrize("reason", [None, "odd", "pause_turn", "refusal", "model_context_window_exceeded"])
def test_stop_reason_is_the_ordered_one(
    claude: Anthropic, practice: httpx2.Client, ask: Ask, reason: str | None
) -> None:
    practice.post("/practice/faults", json={"stop_reason": reason})

    assert ask(claude).stop_reason == reason


@BOTH
def test_call_can_be_cut_by_max_tokens(claude: Anthropic, practice: httpx2.Client, ask: Ask) -> None:
    practice.post("/practice/faults", json={"max_tokens_in_call": True})
    script_of_two = script([{"tool": "look", "input": {"a": "1", "b": "2"}}])

    assert ask(claude).stop_reason == "end_turn"  # nothing to cut: it waits
    answer = ask(claude, **script_of_two)
    assert answer.stop_reason == "max_tokens"
    assert answer.content[0].type == "tool_use" and answer.content[0].input == {"a": "1"}


@BOTH
def test_small_max_tokens_really_cuts(claude: Anthropic, ask: Ask) -> None:
    words = ask(claude, max_tokens=3)
    assert words.stop_reason == "max_tokens"
    assert words.content[0].type == "text" and len(words.content[0].text) == 12

    call = ask(claude, max_tokens=3, **script([{"tool": "look", "input": {"a": "1" * 50, "b": "2"}}]))
    assert call.stop_reason == "max_tokens"
    assert call.content[0].type == "tool_use" and call.content[0].input != {"a": "1" * 50, "b": "2"}


@BOTH
def test_duplicate_ids_empty_content_and_unknown_blocks(claude: Anthropic, practice: httpx2.Client, ask: Ask) -> None:
    for fault in ("duplicate_ids", "empty", "unknown_block"):
        practice.post("/practice/faults", json={fault: True})
    doubled = ask(claude, messages=MAIL, tools=TOOLS)

    assert [block.type for block in doubled.content] == ["tool_use", "tool_use"]
    assert len({block.id for block in doubled.content if block.type == "tool_use"}) == 1
    assert ask(claude).content == []
    assert str(ask(claude).content[0].type) == "practice_riddle"


def test_usage_can_be_missing(claude: Anthropic, practice: httpx2.Client) -> None:
    practice.post("/practice/faults", json={"no_usage": True, "times": 2})

    assert "usage" not in whole(claude).to_dict()
    with whole_stream(claude, model="practice-model", messages=HELLO) as stream:
        assert all("usage" not in event.to_dict() for event in stream if event.type == "message_delta")


def test_error_in_a_stream_is_a_status_where_there_is_no_stream(claude: Anthropic, practice: httpx2.Client) -> None:
    practice.post("/practice/faults", json={"error_in_stream": 529})

    with pytest.raises(APIStatusError) as failed:
        whole(claude)
    assert failed.value.status_code == 529


def test_silence_lasts_as_long_as_ordered(claude: Anthropic, practice: httpx2.Client) -> None:
    practice.post("/practice/faults", json={"silent_seconds": 0.3})
    before = time.monotonic()
    whole(claude)
    assert time.monotonic() - before >= 0.3


def test_unknown_fault_is_refused(practice: httpx2.Client) -> None:
    assert practice.post("/practice/faults", json={"earthquake": True}).status_code == 400


def test_stop_sequence_ends_the_text_before_it(claude: Anthropic) -> None:
    answer = whole(claude, stop_sequences=["END"], **script([{"text": "One END two"}]))

    assert (answer.stop_reason, answer.stop_sequence) == ("stop_sequence", "END")
    assert answer.content[0].type == "text" and answer.content[0].text == "One "


def test_one_call_at_a_time_if_asked(claude: Anthropic) -> None:
    one = {"type": "auto", "disable_parallel_tool_use": True}
    answer = whole(claude, tools=TOOLS, tool_choice=one, **script([{"tool": "a"}, {"tool": "b"}]))

    assert [block.name for block in answer.content if block.type == "tool_use"] == ["a"]


def test_bill_is_the_sum_of_what_the_answers_said(claude: Anthropic, practice: httpx2.Client) -> None:
    usages = [whole(claude).usage, streamed(claude).usage, whole(claude, messages=MAIL, tools=TOOLS).usage]
    with pytest.raises(APIStatusError):
        whole(claude, messages=[])

    told = practice.get("/practice/requests").json()
    assert (told["requests"], told["answers"], told["status_400"]) == (4, 3, 1)
    assert told["refusals"] == ["messages: at least one message is required"]
    assert told["bill"]["input_tokens"] == sum(usage.input_tokens for usage in usages)
    assert told["bill"]["output_tokens"] == sum(usage.output_tokens for usage in usages)


def test_cache_is_written_once_and_read_afterwards(claude: Anthropic) -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    system: Any = [{"type": "text", "text": f"{time.monotonic_ns()} " + "rules " * 1000, **mark}]
    first, second = (whole(claude, system=system).usage for _ in range(2))
    longer = whole(claude, system=system, messages=[*HELLO, {"role": "assistant", "content": "Hi"}, *HELLO]).usage

    assert first.cache_creation_input_tokens > 1024 and first.cache_read_input_tokens == 0
    assert second.cache_creation_input_tokens == 0
    assert second.cache_read_input_tokens == longer.cache_read_input_tokens == first.cache_creation_input_tokens
    assert second.input_tokens == first.input_tokens < longer.input_tokens


def test_short_prompts_are_not_cached(claude: Anthropic) -> None:
    system: Any = [{"type": "text", "text": "Short.", "cache_control": {"type": "ephemeral"}}]

    assert whole(claude, system=system).usage.cache_creation_input_tokens == 0


def test_tokens_counted_are_the_tokens_billed(claude: Anthropic) -> None:
    counted = claude.messages.count_tokens(model="practice-model", messages=MAIL, tools=TOOLS)

    assert counted.input_tokens == whole(claude, messages=MAIL, tools=TOOLS).usage.input_tokens


def test_whole_conversation_of_a_mail_is_never_refused(claude: Anthropic, practice: httpx2.Client) -> None:
    mail_task(claude, EMMA, lookup_order=house(CUPS)).work(system="Rules.", thinking={"type": "adaptive"})

    assert practice.get("/practice/requests").json()["status_400"] == 0


def test_health_says_that_it_is_practice(practice: httpx2.Client) -> None:
    assert practice.get("/healthz").json() == {"status": "ok", "practice": True}


def test_both_languages_have_the_same_texts_with_the_same_facts() -> None:
    def facts(text: str) -> set[str]:
        return {part.partition("}")[0] for part in text.split("{")[1:]}

    english, french = WORDS["en"], WORDS["fr"]
    assert english.keys() == french.keys()
    assert {name for name in english if facts(english[name]) != facts(french[name])} == set()
