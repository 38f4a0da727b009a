"""What does a process write about itself? Constant event names with ids and figures, never content (promise 8).

Our own loggers name an event and give its facts as `extra=`; a run's id comes along by itself inside `about_run`.
Of other people's libraries only warnings are kept, and only the sentence without what it was filled with: that may be
a mail, a prompt or a key. Of an exception its kind and its lines of code are kept, not its words, for the same reason.
"""

import json
import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from uuid import UUID

_RUN: ContextVar[UUID | None] = ContextVar("run", default=None)
_NOT_FACTS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
_FILLED_IN = ("app", "uvicorn")  # whose sentences are constant or tell only addresses and ports


@contextmanager
def about_run(run_id: UUID) -> Iterator[None]:
    """Every line that is logged inside carries this run's id."""
    token = _RUN.set(run_id)
    try:
        yield
    finally:
        _RUN.reset(token)


def configure(*, readable: bool, level: str = "INFO") -> None:
    """Log to standard error: lines for people in the demo, JSON for machines in production."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(ReadableLines() if readable else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("app").setLevel(level)


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, where, event, run, facts, and the kind of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of one record."""
        line: dict[str, object] = {
            "at": _moment(record).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": _event(record),
            **_facts(record),
        }
        if failure := _failure(record):
            line["failure"] = failure
        return json.dumps(line, ensure_ascii=False, default=str)


class ReadableLines(logging.Formatter):
    """The same for a person who watches the demo: `12:00:01 worker.started runs=16`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of one record, and below it the lines of code of an exception."""
        words = [_moment(record).astimezone().strftime("%H:%M:%S"), _event(record)]
        if record.levelno >= logging.WARNING:
            words.insert(1, record.levelname.lower())
        words += [f"{name}={value}" for name, value in _facts(record).items()]
        return "\n  ".join([" ".join(words), *_failure(record)])


def _moment(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _event(record: logging.LogRecord) -> str:
    return record.getMessage() if record.name.split(".")[0] in _FILLED_IN else str(record.msg)


def _facts(record: logging.LogRecord) -> dict[str, object]:
    run = _RUN.get()
    facts: dict[str, object] = {} if run is None else {"run": str(run)}
    if record.name.split(".")[0] == "app":
        facts |= {name: value for name, value in vars(record).items() if name not in _NOT_FACTS}
    return facts


def _failure(record: logging.LogRecord) -> list[str]:
    """The kind of each exception in the chain and the lines it went through; never its words."""
    lines: list[str] = []
    error = record.exc_info[1] if record.exc_info else None
    while error is not None:
        lines.append(f"{type(error).__module__}.{type(error).__qualname__}")
        lines += [
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
        ]
        error = error.__cause__ or error.__context__
    return lines
