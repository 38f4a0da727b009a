"""What does the model see? The task, what it has called since, and what became of each call, read from the request.

Nothing is remembered between two requests: the conversation is all there is, as for a real model.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from app.model.practice.history import turns
from app.model.practice.reply import Use
from app.model.practice.request import JsonObject, MessagesRequest, Text, Tool, ToolResult, ToolUse

_BY_A_PERSON = re.compile(r"^\W*(?:refused|rejected|declined)\s+by\s+(?!the rules\b)(?P<who>[^:.\n]{1,80})", re.I)
_BLOCKED = re.compile(
    r"^\W*(?:refused|rejected|not (?:done|allowed|executed)|nobody (?:answered|decided)|no answer|expired|superseded|"
    r"withdrawn|cancelled)\b|\bdo not try again\b|\bconclude with what you have\b|"
    r"\bnothing was asked\b|\buse the earlier result\b",
    re.I,
)
_UNCERTAIN = re.compile(r"\buncertain\b|\bmay (?:or may not )?have happened\b|\bnobody (?:knows|can know)\b", re.I)
_CHANGED = re.compile(r"[^.\n]*\bchang(?:ed|es)\b[^\n]*", re.I)
_QUOTED = re.compile(r"[“\"«]\s*(?P<word>.+)\s*[”\"»]", re.S)


class Became(StrEnum):
    """What became of a call."""

    DONE = "done"
    REFUSED = "refused"  # by a person
    BLOCKED = "blocked"  # by a rule, a limit or silence
    FAILED = "failed"
    UNCERTAIN = "uncertain"


def find(data: JsonValue, *keys: str) -> JsonValue:
    """The first value under one of these keys, at whatever depth; None if there is none."""
    if isinstance(data, dict):
        for key in keys:
            if data.get(key) is not None:
                return data[key]
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return next((found for value in inner if (found := find(value, *keys)) is not None), None)


def find_text(data: JsonValue, *keys: str) -> str:
    """The same as a string; empty if there is none."""
    found = find(data, *keys)
    return "" if found is None or isinstance(found, dict | list) else str(found)


@dataclass(frozen=True)
class Outcome:
    """The result of a call, as it stands in the conversation."""

    text: str
    is_error: bool

    @property
    def data(self) -> JsonValue:
        """The result as JSON, without its envelope; None when there are only words."""
        told, _ = _parted(self.text)
        return told["result"] if isinstance(told, dict) and "result" in told else told

    @property
    def words(self) -> str:
        """The house's own words to the model: what stands around the data, which never counts as the house speaking."""
        told, around = _parted(self.text)
        is_outside = isinstance(told, dict) and told.get("provenance") != "house"
        return self.data if isinstance(self.data, str) and not is_outside and not around else around

    @property
    def became(self) -> Became:
        if self.is_error:
            return Became.FAILED
        if _BY_A_PERSON.search(self.words):
            return Became.REFUSED
        if _UNCERTAIN.search(self.words):
            return Became.UNCERTAIN
        return Became.BLOCKED if _BLOCKED.search(self.words) else Became.DONE

    @property
    def who(self) -> str:
        """Who refused; empty if nobody did."""
        found = _BY_A_PERSON.search(self.words)
        return found["who"].strip() if found else ""

    @property
    def word(self) -> str:
        """The word that a person gave with a refusal; empty if there is none."""
        found = _QUOTED.search(self.words)
        return found["word"] if found else ""

    @property
    def changes(self) -> str:
        """What a person changed before it was done, in words; empty if nothing."""
        changed = find(self.data, "changed", "changes", "changed_arguments", "with_changes")
        if isinstance(changed, dict):
            return ", ".join(f"{name}: {_short(value)}" for name, value in changed.items())
        if changed is not None and changed is not False:
            return _short(changed)
        found = _CHANGED.search(self.words) or _CHANGED.search(find_text(self.data, "note", "notes", "message"))
        return found.group().rpartition("this was done:")[2].strip().rstrip(".") if found else ""


def _parted(text: str) -> tuple[JsonValue, str]:
    """The JSON of a result and the words around it; either may be missing."""
    start = text.find("{")
    if start < 0:
        return None, text
    try:
        told, end = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        return None, text
    return told, f"{text[:start]}{text[end:]}".strip()


def _short(value: JsonValue) -> str:
    told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return told if len(told) <= 120 else f"{told[:119]}…"


@dataclass(frozen=True)
class Step:
    """A call that was made, in which turn of the task, and its outcome."""

    tool: str
    arguments: JsonObject
    turn: int
    outcome: Outcome

    @property
    def became(self) -> Became:
        return self.outcome.became


@dataclass(frozen=True)
class Talk:
    """One task of a conversation as the model has it before it."""

    task: str
    notes: tuple[str, ...]
    steps: tuple[Step, ...]
    tools: Mapping[str, Tool]
    must_conclude: bool
    thinks: bool

    def calls(self, *tools: str) -> list[Step]:
        """What was called of these tools, in order."""
        return [step for step in self.steps if step.tool in tools]

    def last(self, tool: str) -> Step | None:
        made = self.calls(tool)
        return made[-1] if made else None

    def use(self, tool: str, why: str = "", **arguments: str) -> Use | None:
        """A call of this tool in the shape that its schema asks for; None if the tool is not there."""
        offered = self.tools.get(tool)
        if offered is None:
            return None
        properties = offered.input_schema.get("properties")
        shape = properties if isinstance(properties, dict) else {}
        told: JsonObject = {name: _as_asked(value, shape.get(name)) for name, value in arguments.items()}
        extra = {"_why": why[:200], "_exception": ""}
        return Use(tool, {**told, **{name: value for name, value in extra.items() if name in shape}})


def _as_asked(value: str, schema: JsonValue) -> JsonValue:
    """A number where the schema wants nothing but a number."""
    is_number = isinstance(schema, dict) and schema.get("type") == "number"
    return float(value) if is_number else value


def listen(request: MessagesRequest) -> Talk:
    """The task that is being worked on: it begins with the last words that did not come along with results."""
    task: str = ""
    notes: list[str] = []
    steps: list[Step] = []
    asked: list[ToolUse] = []
    turn = 0
    for part in turns(request.messages):
        if part.role == "assistant":
            turn += 1
            asked = [block for block in part.blocks if isinstance(block, ToolUse)]
            continue
        texts = [block.text for block in part.blocks if isinstance(block, Text)]
        results = [block for block in part.blocks if isinstance(block, ToolResult)]
        if results:
            steps += _steps(asked, results, turn)
            notes += texts
        else:
            task, notes, steps, turn = "\n".join(texts), [], [], 0
    choice = request.tool_choice
    return Talk(
        task=task,
        notes=tuple(notes),
        steps=tuple(steps),
        tools={tool.name: tool for tool in request.tools},
        must_conclude=choice is not None and choice.type == "none",
        thinks=request.thinking is None or request.thinking.type != "disabled",
    )


def _steps(asked: Sequence[ToolUse], results: Sequence[ToolResult], turn: int) -> list[Step]:
    by_id = {result.tool_use_id: result for result in results}
    return [
        Step(call.name, call.input, turn, Outcome(result.text, bool(result.is_error)))
        for call in asked
        if (result := by_id.get(call.id)) is not None
    ]
