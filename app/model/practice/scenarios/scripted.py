"""What if a test writes the model's turns itself? The first message holds them: <script>[[…], […]]</script>.

A list of turns, each a list of {"text": …}, {"thinking": …}, {"tool": …, "input": {…}}, {"block": {…}} (word for word)
and {"stop_reason": …}. The turn is the one after the answers that came back. Answers to model name `practice-scripted`.
"""

import json
import re

from pydantic import JsonValue

from app.model.practice.refusal import Refusal
from app.model.practice.reply import Piece, Raw, Reply, Say, Think, Use, say
from app.model.practice.request import MessagesRequest, Text

_SCRIPT = re.compile(r"<script>(?P<turns>.*?)</script>", re.S)


def play(request: MessagesRequest) -> Reply:
    """The turn of the script that is next."""
    script = _script(request)
    done = sum(message.role == "assistant" for message in request.messages)
    return _turn(script[done]) if done < len(script) else say("The script is over.")


def _script(request: MessagesRequest) -> list[JsonValue]:
    texts = [block.text for block in request.messages[0].content if isinstance(block, Text)]
    found = _SCRIPT.search("\n".join(texts))
    if found is None:
        raise Refusal("practice-scripted: the first message holds no <script>…</script>")
    try:
        script: JsonValue = json.loads(found["turns"])
    except ValueError as error:
        raise Refusal(f"practice-scripted: {error}") from None
    if not isinstance(script, list):
        raise Refusal("practice-scripted: the script is not a list of turns")
    return script


def _turn(lines: JsonValue) -> Reply:
    pieces: list[Piece] = []
    stop: list[str | None] = []
    for line in lines if isinstance(lines, list) else [lines]:
        match line:
            case {"stop_reason": None | str() as reason}:
                stop.append(reason)
            case _:
                pieces.append(_piece(line))
    return Reply(tuple(pieces), stop_reason=stop[-1] if stop else None, names_its_stop=bool(stop))


def _piece(line: JsonValue) -> Piece:
    match line:
        case {"text": str(text)}:
            return Say(text)
        case {"thinking": str(text)}:
            return Think(text)
        case {"tool": str(tool), "input": dict(arguments)}:
            return Use(tool, arguments)
        case {"tool": str(tool)}:
            return Use(tool)
        case {"block": dict(block)}:
            return Raw(block)
        case _:
            raise Refusal(f"practice-scripted: nobody understands {json.dumps(line)}")
