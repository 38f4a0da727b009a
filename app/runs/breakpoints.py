"""Where may a test kill, pause or fail a worker? At these named places; outside of tests they do nothing."""

from collections.abc import Awaitable, Callable
from typing import Final

NAMES: Final = (
    "claimed",
    "before_request",
    "after_answer",
    "after_turn",
    "before_intent",
    "after_intent",
    "after_effect",
    "after_outcome",
    "before_wait",
    "before_end",
)

Hook = Callable[[str], Awaitable[None]]
_hooks: list[Hook] = []


async def reach(name: str) -> None:
    """This place was reached."""
    for hook in _hooks:
        await hook(name)


def watch(hook: Hook) -> None:
    """For tests: call `hook` at each place."""
    _hooks.append(hook)
