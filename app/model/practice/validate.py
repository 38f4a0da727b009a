"""Would the real API take this request? The rules between the parts of a request, each with the API's own words.

Consecutive messages of one role are one turn, as in the real API; ids are looked at before that merge, because an
answer is sent back as the message that it was. A last message of the assistant is continued (after `pause_turn`).
"""

import re

from app.model.practice.history import check_history
from app.model.practice.refusal import Refusal
from app.model.practice.request import CacheControl, MessagesRequest, Prompt, Text

CONTEXT = 200_000
CACHE_MARKS = 4
_MODEL = re.compile(r"practice-[a-z-]+|claude-[a-z0-9.-]+")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def check(prompt: Prompt) -> None:
    """Return, or say what the real API would say."""
    for rule in RULES:
        rule(prompt)
    check_history(prompt.messages)


def _known_model(prompt: Prompt) -> None:
    if not _MODEL.fullmatch(prompt.model):
        raise Refusal(f"model: {prompt.model}", 404)


def _tools_have_different_names(prompt: Prompt) -> None:
    names = [tool.name for tool in prompt.tools]
    if len(set(names)) < len(names):
        raise Refusal("tools: Tool names must be unique.")


def _schemas_are_objects(prompt: Prompt) -> None:
    for index, tool in enumerate(prompt.tools):
        where, schema = f"tools.{index}.custom.input_schema", tool.input_schema
        if "type" not in schema:
            raise Refusal(f"{where}.type: Field required")
        if schema["type"] != "object":
            raise Refusal(f"{where}.type: Input should be 'object'")
        if any(word in schema for word in ("oneOf", "allOf", "anyOf")):
            raise Refusal(f"{where}: input_schema does not support oneOf, allOf, or anyOf at the top level")
        properties = schema.get("properties") or {}
        if not isinstance(properties, dict):
            raise Refusal(f"{where}: JSON schema is invalid. It must match JSON Schema draft 2020-12")
        for name in properties:
            if not _PROPERTY.fullmatch(name):
                raise Refusal(f"{where}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{{1,64}}$'")


def _choice_fits_tools(prompt: Prompt) -> None:
    choice = prompt.tool_choice
    if choice is None:
        return
    if not prompt.tools:
        raise Refusal("tool_choice: tool_choice may only be specified while providing tools")
    if choice.type in ("any", "tool"):
        raise Refusal("tool_choice: the practice model only follows `auto` and `none`")


def _formats_are_for_real_models(prompt: Prompt) -> None:
    if prompt.output_config and prompt.output_config.get("format"):
        raise Refusal("output_config.format: the practice model only writes plain text")


def _thinking_fits(prompt: Prompt) -> None:
    thinking = prompt.thinking
    if thinking is None or thinking.type != "enabled":
        return
    if thinking.budget_tokens is None:
        raise Refusal("thinking.enabled.budget_tokens: Field required")
    if isinstance(prompt, MessagesRequest) and thinking.budget_tokens >= prompt.max_tokens:
        raise Refusal("`max_tokens` must be greater than `thinking.budget_tokens`.")


def _system_says_something(prompt: Prompt) -> None:
    if any(not block.text for block in prompt.system):
        raise Refusal("system: text content blocks must be non-empty")


def _few_cache_marks(prompt: Prompt) -> None:
    blocks = [*prompt.tools, *prompt.system, *(block for message in prompt.messages for block in message.content)]
    marks: list[CacheControl] = [mark for block in blocks if (mark := getattr(block, "cache_control", None))]
    count = len(marks) + (prompt.cache_control is not None)
    if count > CACHE_MARKS:
        raise Refusal(f"A maximum of {CACHE_MARKS} blocks with cache_control may be provided. Found {count}.")
    for block in blocks:
        if isinstance(block, Text) and block.cache_control and not block.text:
            raise Refusal("cache_control cannot be set for empty text blocks")


RULES = (
    _known_model,
    _tools_have_different_names,
    _schemas_are_objects,
    _choice_fits_tools,
    _formats_are_for_real_models,
    _thinking_fits,
    _system_says_something,
    _few_cache_marks,
)
