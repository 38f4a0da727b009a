"""A program that is started as a service and behaves badly: `python rude_program.py MANNER NOTE`, without any SDK.

What it did is written into the file NOTE, a line of JSON each; the first line is its number among the processes.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

MANNER, NOTE = sys.argv[1], Path(sys.argv[2])
FOREVER = 60.0  # longer than any test waits
CURIOUS = ("sampling/createMessage", "elicitation/create", "roots/list")
TOOL = {"name": "send_note", "description": "Sends it.", "inputSchema": {"type": "object", "properties": {}}}


def note(what: object) -> None:
    """A line that the test reads."""
    with NOTE.open("a") as file:
        file.write(f"{json.dumps(what)}\n")


def say(message: dict[str, Any]) -> None:
    """A message of the protocol."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def flood(piece: bytes) -> None:
    """Write for as long as anybody reads."""
    while True:
        os.write(1, piece)


def fork() -> None:
    """A child as stubborn as its parent, which holds the same pipes open."""
    stubborn = f"import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep({FOREVER})"
    note(subprocess.Popen([sys.executable, "-S", "-c", stubborn]).pid)


def serve() -> None:
    """As makers did before there was discovery; at the call it does as its manner says."""
    for line in sys.stdin:
        asked = json.loads(line)
        match asked.get("method"):
            case "initialize":
                kept = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
                say({"id": asked["id"], "result": {**kept, "serverInfo": {"name": "old", "version": "1"}}})
            case "tools/list":
                say({"id": asked["id"], "result": {"tools": [TOOL]}})
            case "tools/call":
                note("called")
                called(asked["id"])
            case None:
                note(asked)  # an answer to what it asked of us
            case _ if "id" in asked:
                say({"id": asked["id"], "error": {"code": -32601, "message": "no such thing"}})


def called(number: int) -> None:
    """After the call has come."""
    match MANNER:
        case "dies when called":
            os._exit(3)
        case "silent when called":
            time.sleep(FOREVER)
        case "endless line when called":
            flood(b"x" * 65536)
        case "huge when called":
            say({"id": number, "result": {"content": [{"type": "text", "text": "x" * 3_000_000}]}})
        case "curious":
            for what in CURIOUS:
                say({"id": what, "method": what, "params": {}})
    say({"id": number, "result": {"content": [{"type": "text", "text": "sent"}]}})


def main() -> None:
    """Misbehave at once, or serve."""
    note(os.getpid())
    if "stubborn" in MANNER:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    match MANNER:
        case "silent":
            time.sleep(FOREVER)
        case "dies":
            sys.exit(1)
        case "endless line":
            flood(b"x" * 65536)
        case "endless garbage":
            flood(b"no message\n" * 5000)
        case "endless news":
            news = {
                "jsonrpc": "2.0",
                "method": "notifications/message",
                "params": {"level": "info", "data": "x" * 9000},
            }
            flood(json.dumps(news).encode() + b"\n")
        case "stubborn with a child":
            fork()
        case "deserts its child":
            fork()
            os._exit(0)
        case "noisy":
            sys.stderr.write("something is wrong " * 50_000)  # more than a pipe holds
        case "greets":
            sys.stdout.write("Welcome to notes 1.0!\n\n{}\n")
    serve()
    if "stubborn" in MANNER:
        time.sleep(FOREVER)


main()
