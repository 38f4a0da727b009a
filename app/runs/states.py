"""What states does a run or a call have, and which steps between them are allowed?"""

from enum import StrEnum
from typing import TypeVar

S = TypeVar("S", bound=StrEnum)


class RunStatus(StrEnum):
    """Where a run is."""

    QUEUED = "queued"  # for the next free worker
    RUNNING = "running"  # a worker holds its lease
    WAITING = "waiting"  # for what `waiting_for` says
    DONE = "done"  # the employee said its last word
    STOPPED = "stopped"  # a limit ended it
    FAILED = "failed"  # something broke
    CANCELLED = "cancelled"  # a person ended it


class WaitingFor(StrEnum):
    """What a waiting run waits for."""

    PERSON = "person"
    BUDGET = "budget"
    MODEL = "model"
    UNCERTAIN = "uncertain"


class End(StrEnum):
    """Why a run ended; each has its sentence in both languages."""

    ANSWERED = "answered"
    STEP_LIMIT = "step_limit"
    ERRORS_IN_A_ROW = "errors_in_a_row"
    TOKEN_LIMIT = "token_limit"  # noqa: S105  (a name of an end, not a password)
    MONEY_LIMIT = "money_limit"
    TIME_LIMIT = "time_limit"
    TOO_OLD = "too_old"
    TRUNCATED = "truncated"
    CONTEXT_FULL = "context_full"
    MODEL_REFUSED = "model_refused"
    MODEL_UNREADABLE = "model_unreadable"
    MODEL_UNREACHABLE = "model_unreachable"
    REQUEST_INVALID = "request_invalid"
    WRONG_KEY = "wrong_key"
    BROKE = "broke"
    CANCELLED = "cancelled"
    DISMISSED = "dismissed"


class CallStatus(StrEnum):
    """Where a call is."""

    READY = "ready"  # decided: goes ahead without a person
    ASKING = "asking"  # waits for a person's answer
    RUNNING = "running"  # the intent is written, the outcome is not
    DONE = "done"
    FAILED = "failed"  # certainly not done
    REFUSED = "refused"  # by policy, guard, person or silence
    UNCERTAIN = "uncertain"  # nobody knows; a person settles it


ENDED = frozenset({RunStatus.DONE, RunStatus.STOPPED, RunStatus.FAILED, RunStatus.CANCELLED})
OPEN_CALLS = frozenset({CallStatus.READY, CallStatus.ASKING, CallStatus.RUNNING, CallStatus.UNCERTAIN})

STATUS_OF_END: dict[End, RunStatus] = {
    End.ANSWERED: RunStatus.DONE,
    End.CANCELLED: RunStatus.CANCELLED,
    End.DISMISSED: RunStatus.CANCELLED,
    End.STEP_LIMIT: RunStatus.STOPPED,
    End.ERRORS_IN_A_ROW: RunStatus.STOPPED,
    End.TOKEN_LIMIT: RunStatus.STOPPED,
    End.MONEY_LIMIT: RunStatus.STOPPED,
    End.TIME_LIMIT: RunStatus.STOPPED,
    End.TOO_OLD: RunStatus.STOPPED,
    End.TRUNCATED: RunStatus.FAILED,
    End.CONTEXT_FULL: RunStatus.FAILED,
    End.MODEL_REFUSED: RunStatus.FAILED,
    End.MODEL_UNREADABLE: RunStatus.FAILED,
    End.MODEL_UNREACHABLE: RunStatus.FAILED,
    End.REQUEST_INVALID: RunStatus.FAILED,
    End.WRONG_KEY: RunStatus.FAILED,
    End.BROKE: RunStatus.FAILED,
}

RUN_STEPS: dict[RunStatus, frozenset[RunStatus]] = {
    RunStatus.QUEUED: frozenset({RunStatus.RUNNING, RunStatus.CANCELLED}),
    RunStatus.RUNNING: frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.WAITING}) | ENDED,
    RunStatus.WAITING: frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.CANCELLED, RunStatus.STOPPED}),
    RunStatus.DONE: frozenset(),
    RunStatus.STOPPED: frozenset(),
    RunStatus.FAILED: frozenset(),
    RunStatus.CANCELLED: frozenset(),
}

CALL_STEPS: dict[CallStatus, frozenset[CallStatus]] = {
    CallStatus.READY: frozenset({CallStatus.RUNNING, CallStatus.ASKING, CallStatus.REFUSED}),
    CallStatus.ASKING: frozenset({CallStatus.RUNNING, CallStatus.REFUSED}),
    CallStatus.RUNNING: frozenset(
        {CallStatus.RUNNING, CallStatus.DONE, CallStatus.FAILED, CallStatus.REFUSED, CallStatus.UNCERTAIN}
    ),
    CallStatus.UNCERTAIN: frozenset({CallStatus.DONE, CallStatus.FAILED, CallStatus.ASKING, CallStatus.RUNNING}),
    CallStatus.DONE: frozenset(),
    CallStatus.FAILED: frozenset(),
    CallStatus.REFUSED: frozenset(),
}


def steps_to(status: S, steps: dict[S, frozenset[S]]) -> tuple[S, ...]:
    """The states from which `status` may be reached: the WHERE of the UPDATE that makes the step."""
    return tuple(before for before, after in steps.items() if status in after)
