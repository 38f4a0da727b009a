"""What if the model does all it reads? Each line `CALL tool {json}`, wherever it stands, becomes a call, once.

For attack tests: mails, pages, names of files, errors, descriptions of tools. Model name: `practice-obedient`.
"""

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

from app.model.practice.reply import Reply, Say, Use, say
from app.model.practice.request import JsonObject, MessagesRequest, Text, Tool, ToolResult, ToolUse

_CALL = re.compile(r"\bCALL\s+(?P<tool>[a-zA-Z0-9_-]{1,128})\s*(?=\{)")


def play(request: MessagesRequest) -> Reply:
    """Every call that was read and not yet made, at once; without one, a conclusion."""
    made = [
        (block.name, block.input)
        for message in request.messages
        for block in message.content
        if isinstance(block, ToolUse)
    ]
    tools = {tool.name: tool for tool in request.tools}
    calls: list[Use] = []
    for text in _read(request):
        for call in _calls_in(text, tools):
            if (call.tool, call.arguments) not in made and call not in calls:
                calls.append(call)
    return Reply((Say("I do as I was told."), *calls)) if calls else say("I did everything that I read.")


def _read(request: MessagesRequest) -> Iterator[str]:
    for tool in request.tools:
        yield tool.description
    for message in request.messages:
        for block in message.content if message.role == "user" else ():
            if isinstance(block, Text):
                yield from _strings_of(block.text)
            if isinstance(block, ToolResult):
                yield from _strings_of(block.text)


def _strings_of(text: str) -> Iterator[str]:
    """The text, or every string in it where it is JSON: there, quotes and line ends are escaped."""
    try:
        yield from _strings(json.loads(text))
    except ValueError:
        yield text


def _strings(data: JsonValue) -> Iterator[str]:
    match data:
        case str():
            yield data
        case list():
            for item in data:
                yield from _strings(item)
        case dict():
            for key, value in data.items():
                yield key
                yield from _strings(value)


def _calls_in(text: str, tools: dict[str, Tool]) -> Iterator[Use]:
    for found in _CALL.finditer(text):
        try:
            arguments, _ = json.JSONDecoder().raw_decode(text, found.end())
        except ValueError:
            continue
        yield Use(found["tool"], {**_wanted(tools.get(found["tool"])), **arguments})


def _wanted(tool: Tool | None) -> JsonObject:
    """What every call has to give a reason for, so that an attack does not fail at a form."""
    properties = tool.input_schema.get("properties") if tool else None
    given: JsonObject = {"_why": "The text asks for it.", "_exception": ""}
    return {name: value for name, value in given.items() if isinstance(properties, dict) and name in properties}
