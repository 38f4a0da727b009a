"""Logs tell what happened to which run, and nothing of what anybody wrote (promise 8)."""

import json
import logging
from uuid import UUID

import pytest

from app.logs import JsonLines, ReadableLines, about_run

RUN = UUID("0193b6a0-0000-7000-8000-000000000001")
CONTENT = "Dear Emma, your password is tulip"


def record(name: str, message: str, *arguments: object, **facts: object) -> logging.LogRecord:
    return logging.getLogger(name).makeRecord(
        name, logging.WARNING, "f.py", 1, message, arguments, None, extra=facts or None
    )


def failing(name: str) -> logging.LogRecord:
    """The record of an exception whose words, and whose cause's words, are content."""
    try:
        try:
            raise ValueError(CONTENT)
        except ValueError as error:
            raise RuntimeError(f"for {CONTENT}") from error
    except RuntimeError as error:
        made = record(name, "call.failed")
        made.exc_info = (RuntimeError, error, error.__traceback__)
        return made


def test_a_line_names_event_facts_and_run() -> None:
    with about_run(RUN):
        line = json.loads(JsonLines().format(record("app.runs.call", "call.done", tool="send_reply", ms=12)))
    assert (line["event"], line["run"], line["tool"], line["ms"]) == ("call.done", str(RUN), "send_reply", 12)
    assert line["level"] == "warning" and line["at"].endswith("+00:00")


def test_outside_of_a_run_no_run_is_named() -> None:
    with about_run(RUN):
        pass
    assert "run" not in json.loads(JsonLines().format(record("app.web", "web.started")))


@pytest.mark.parametrize("lines", [JsonLines(), ReadableLines()])
def test_an_exception_shows_its_kind_and_place_but_not_its_words(lines: logging.Formatter) -> None:
    line = lines.format(failing("app.runs.call"))
    assert "RuntimeError" in line and "ValueError" in line and "test_logs.py" in line
    assert "tulip" not in line and "Emma" not in line


@pytest.mark.parametrize("lines", [JsonLines(), ReadableLines()])
def test_of_other_libraries_only_the_bare_sentence_is_kept(lines: logging.Formatter) -> None:
    line = lines.format(record("httpx2", "request to %s failed", CONTENT, body=CONTENT))
    assert "request to %s failed" in line and "tulip" not in line


def test_a_person_reads_time_event_and_facts() -> None:
    words = ReadableLines().format(record("app.worker.main", "worker.started", runs=16)).split(" ", 1)[1]
    assert words == "warning worker.started runs=16"
