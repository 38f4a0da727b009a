"""Is this call one too many? Looked at before the policy; a refusal tells the model the way out."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.policy.decision import Kind
from app.runs.limits import Limits
from app.runs.states import CallStatus

COUNTED = frozenset(
    {CallStatus.DONE, CallStatus.FAILED, CallStatus.UNCERTAIN, CallStatus.RUNNING, CallStatus.READY, CallStatus.ASKING}
)
SAME_RESULT_TIMES = 3  # an answer that changes by itself is asked for again until it has repeated this often


@dataclass(frozen=True)
class Earlier:
    """An earlier call of this run, as far as guards care."""

    tool: str
    kind: Kind | None
    status: CallStatus
    mark: str
    nearly: str
    result_mark: str | None = None


@dataclass(frozen=True)
class Refusal:
    """Why a guard stops a call: its name, and what the model is told."""

    guard: str
    text: str


def refuse(
    earlier: Sequence[Earlier], now: Earlier, limits: Limits, *, uses: int | None, changes_by_itself: bool
) -> Refusal | None:
    """What stops the call `now`, if anything does. `uses` is the tool's own bound per run."""
    if changes_by_itself:
        results = [call.result_mark for call in earlier if call.nearly == now.nearly and call.status is CallStatus.DONE]
        if len(results) >= SAME_RESULT_TIMES and len(set(results[-SAME_RESULT_TIMES:])) == 1:
            return Refusal("same_result", "The answer did not change three times. Conclude with what you have.")
    elif _same_done(earlier, now):
        return Refusal("same_call", "You made the same call already and it succeeded: use the earlier result.")
    used = sum(1 for call in earlier if call.tool == now.tool and call.status in COUNTED)
    most = uses or limits.calls_per_tool
    if used >= most:
        return Refusal(
            "tool_limit", f"The tool {now.tool} was used {used} times in this task. Conclude with what you have."
        )
    return None


def _same_done(earlier: Sequence[Earlier], now: Earlier) -> bool:
    """The same call succeeded (or is under way), and for a read nothing was written since."""
    for call in reversed(earlier):
        same = call.nearly == now.nearly and call.tool == now.tool
        if same and call.status in COUNTED - {CallStatus.FAILED, CallStatus.UNCERTAIN}:
            return True
        wrote = call.kind is not Kind.READ and call.status in (CallStatus.DONE, CallStatus.UNCERTAIN)
        if wrote and now.kind is Kind.READ:
            return False
    return False
