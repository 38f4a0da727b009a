"""Does the practice model refuse what the real API refuses? One broken request per rule, through the real SDK."""

import copy
import json
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic, AuthenticationError, BadRequestError, NotFoundError
from starlette.testclient import TestClient

from app.model.practice.server import create_app
from tests.model.shop import CUPS, EMMA, TOOLS, house, mail_task

HELLO = {"role": "user", "content": "Hello"}
TOOL = {"name": "look", "input_schema": {"type": "object", "properties": {}}}


def call(call_id: str = "a1", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "look", "input": {}} | more


def result(call_id: str = "a1", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "seen"} | more


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def asks(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def says(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


BROKEN_HISTORIES = {
    "no message": ([], "at least one message is required"),
    "assistant first": ([asks(text("Hi")), HELLO], 'first message must use the "user" role'),
    "call without result": ([HELLO, asks(call())], "`tool_use` ids were found without `tool_result` blocks"),
    "result left out": ([HELLO, asks(call(), call("b2")), says(result())], "immediately after: b2"),
    "result one turn late": (
        [HELLO, asks(call()), HELLO, asks(text("Hm")), says(result())],
        "`tool_use` ids were found without",
    ),
    "result of nothing": ([says(result())], "unexpected `tool_use_id` found in `tool_result` blocks: a1"),
    "result of another call": ([HELLO, asks(call()), says(result("zz"))], "unexpected `tool_use_id`"),
    "text before result": ([HELLO, asks(call()), says(text("Well"), result())], "`tool_use` ids were found without"),
    "text before result, in two messages": ([HELLO, asks(call()), HELLO, says(result())], "ids were found without"),
    "two results for a call": ([HELLO, asks(call()), says(result(), result())], "must have a single result"),
    "two calls with one id": ([HELLO, asks(call(), call()), says(result())], "`tool_use` ids must be unique"),
    "an id used again later": (
        [HELLO, asks(call()), says(result()), asks(call()), says(result())],
        "`tool_use` ids must be unique",
    ),
    "empty user message": ([{"role": "user", "content": ""}], "user messages must have non-empty content"),
    "empty list of blocks": ([says()], "user messages must have non-empty content"),
    "empty text": ([says(text(""))], "text content blocks must be non-empty"),
    "blank text": ([says(text(" \n"))], "must contain non-whitespace text"),
    "empty assistant in the middle": ([HELLO, asks(), HELLO], "except for the optional final assistant message"),
    "unknown role": ([{"role": "robot", "content": "Hi"}], "role: Input should be 'user' or 'assistant'"),
    "system among messages": ([{"role": "system", "content": "Hi"}], "role: Input should be 'user' or 'assistant'"),
    "unknown block": ([says({"type": "smell"})], "does not match any of the expected tags"),
    "call by the user": ([says(call())], "can only be in `assistant` messages"),
    "result by the assistant": ([HELLO, asks(result())], "can only be in `user` messages"),
    "silent error": ([HELLO, asks(call()), says(result(is_error=True, content=""))], "content cannot be empty if"),
    "made-up signature": (
        [HELLO, asks({"type": "thinking", "thinking": "Hm", "signature": "EqPractice00"}, text("Hi")), HELLO],
        "Invalid `signature` in `thinking` block",
    ),
}

BROKEN_FIELDS = {
    "unknown field": ({"mood": "good"}, "mood: Extra inputs are not permitted"),
    "temperature": ({"temperature": 0.5}, "`temperature` is deprecated for this model."),
    "top_p": ({"top_p": 0.5}, "`top_p` is deprecated for this model."),
    "no room to answer": ({"max_tokens": 0}, "max_tokens: Input should be greater than or equal to 1"),
    "tool name with a dot": ({"tools": [TOOL | {"name": "a.b"}]}, "tools.0.name: String should match pattern"),
    "tool name too long": ({"tools": [TOOL | {"name": "a" * 129}]}, "tools.0.name: String should match pattern"),
    "tools of one name": ({"tools": [TOOL, TOOL]}, "Tool names must be unique"),
    "schema without type": ({"tools": [TOOL | {"input_schema": {}}]}, "input_schema.type: Field required"),
    "schema of an array": ({"tools": [TOOL | {"input_schema": {"type": "array"}}]}, "Input should be 'object'"),
    "choice without tools": ({"tool_choice": {"type": "none"}}, "only be specified while providing tools"),
    "empty system text": ({"system": [text("")]}, "system: text content blocks must be non-empty"),
    "too many cache marks": (
        {"system": [text("a") | {"cache_control": {"type": "ephemeral"}}] * 5},
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    "prompt too long": ({"system": "a" * 900_000}, "prompt is too long"),
}


def refusal(claude: Anthropic, **request: Any) -> str:
    whole = {"model": "practice-model", "max_tokens": 100, "messages": [HELLO], **request}
    extra = {name: whole.pop(name) for name in ("mood", "temperature", "top_p") if name in whole}
    with pytest.raises(BadRequestError) as refused:
        claude.messages.create(**whole, extra_body=extra)
    body = refused.value.body
    assert isinstance(body, dict)
    assert body["error"]["type"] == "invalid_request_error"
    return body["error"]["message"]


@pytest.mark.parametrize("name", BROKEN_HISTORIES)
def test_broken_history_is_refused(claude: Anthropic, name: str) -> None:
    messages, message = BROKEN_HISTORIES[name]
    assert message in refusal(claude, messages=messages, tools=[TOOL])


@pytest.mark.parametrize("name", BROKEN_FIELDS)
def test_broken_field_is_refused(claude: Anthropic, name: str) -> None:
    fields, message = BROKEN_FIELDS[name]
    assert message in refusal(claude, **fields)


WHOLE_HISTORIES = {
    "results, then text": [HELLO, asks(call(), call("b2")), says(result("b2"), result(), text("And?"))],
    "results in two messages": [HELLO, asks(call(), call("b2")), says(result()), says(result("b2"))],
    "two messages of the user": [HELLO, HELLO],
    "two messages of the assistant": [HELLO, asks(text("Well")), asks(call()), says(result())],
    "an answer to go on with": [HELLO, asks(text("Well"))],
    "an empty last answer": [HELLO, asks()],
    "a result without content": [HELLO, asks(call()), says({"type": "tool_result", "tool_use_id": "a1"})],
}


@pytest.mark.parametrize("name", WHOLE_HISTORIES)
def test_whole_history_is_taken(claude: Anthropic, name: str) -> None:
    messages = WHOLE_HISTORIES[name]
    assert claude.messages.create(model="claude-opus-5-5", max_tokens=500, messages=messages, tools=[TOOL]).content


def changed(messages: list[dict[str, Any]], change: str) -> list[dict[str, Any]]:
    """The history with one thing in the second answer (thinking, then a call) or the third (three calls) changed."""
    copied = copy.deepcopy(messages)
    second, third = copied[3]["content"], copied[5]["content"]
    match change:
        case "thinking altered":
            second[0]["thinking"] += "!"
        case "thinking left out":
            del second[0]
        case "argument altered":
            second[1]["input"]["order_number"] = "MC-1043"
        case "name altered":
            second[1]["name"] = "search_catalogue"
        case "text added":
            second.insert(0, text("By the way."))
        case "calls swapped":
            third[0], third[1] = third[1], third[0]
        case "first call left out":
            gone = third.pop(0)
            copied[6]["content"] = [block for block in copied[6]["content"] if block["tool_use_id"] != gone["id"]]
    return copied


CHANGES = [
    "thinking altered",
    "thinking left out",
    "argument altered",
    "name altered",
    "text added",
    "calls swapped",
    "first call left out",
]


@pytest.mark.parametrize("change", CHANGES)
def test_answer_that_came_back_changed_is_refused_even_after_a_restart(claude: Anthropic, change: str) -> None:
    shop = mail_task(claude, EMMA, lookup_order=house(CUPS))
    shop.work()
    request = {"model": "practice-model", "max_tokens": 100, "tools": TOOLS}
    headers = {"x-api-key": "any", "anthropic-version": "2026-10-21"}

    with TestClient(create_app()) as restarted:  # another server: nothing that the first one remembers
        as_it_was = restarted.post("/v1/messages", json=request | {"messages": shop.messages}, headers=headers)
        altered = request | {"messages": changed(shop.messages, change)}
        as_it_was_not = restarted.post("/v1/messages", json=altered, headers=headers)

    assert as_it_was.status_code == 200
    assert as_it_was_not.status_code == 400
    assert "as they were" in as_it_was_not.text or "signature" in as_it_was_not.text


def test_order_of_keys_and_cache_marks_are_not_a_change(claude: Anthropic) -> None:
    shop = mail_task(claude, EMMA, lookup_order=house(CUPS))
    shop.work()
    draft = shop.messages[5]["content"][0]
    draft["input"] = dict(reversed(draft["input"].items()))
    draft["cache_control"] = {"type": "ephemeral"}

    assert shop.work()


def test_missing_max_tokens_is_named(practice: httpx2.Client) -> None:
    headers = {"authorization": "Bearer any", "anthropic-version": "2026-10-21"}
    answer = practice.post("/v1/messages", json={"model": "practice-model", "messages": [HELLO]}, headers=headers)

    assert answer.status_code == 400
    assert answer.json()["error"] == {"type": "invalid_request_error", "message": "max_tokens: Field required"}
    assert answer.headers["request-id"] == answer.json()["request_id"]


def test_body_that_is_no_json_and_missing_version_are_named(practice: httpx2.Client) -> None:
    key = {"x-api-key": "any"}
    version = {"anthropic-version": "2026-10-21"}

    assert "not valid JSON" in practice.post("/v1/messages", content=b"{", headers=key | version).text
    assert "anthropic-version" in practice.post("/v1/messages", content=b"{}", headers=key).text


def test_wrong_and_missing_keys_are_refused(practice_url: str, practice: httpx2.Client) -> None:
    stranger = Anthropic(base_url=practice_url, api_key="wrong-key", max_retries=0)
    with stranger, pytest.raises(AuthenticationError):
        stranger.messages.create(model="practice-model", max_tokens=10, messages=[HELLO])
    assert practice.post("/v1/messages", content=b"{}").status_code == 401


def test_unknown_model_is_not_found(claude: Anthropic) -> None:
    with pytest.raises(NotFoundError):
        claude.messages.create(model="gpt", max_tokens=10, messages=[HELLO])


def test_broken_scripts_are_refused(claude: Anthropic) -> None:
    for script in ("no script", "<script>[</script>", "<script>{}</script>", f"<script>{json.dumps([[{}]])}</script>"):
        messages = [{"role": "user", "content": script}]
        assert "practice-scripted" in refusal(claude, model="practice-scripted", messages=messages)
