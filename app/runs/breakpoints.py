"""Where may a test kill, pause or fail a worker? At these named places; outside of tests they do nothing."""

from collections.abc import Awaitable, Callable
from typing import Final

NAMES: Final = (
    "mail_before_kept",  # a customer's mail has come, nothing is committed
    "mail_kept",  # it is committed, its sender does not know
    "claimed",
    "before_bound",
    "before_request",
    "after_answer",
    "after_turn",
    "before_intent",
    "after_intent",
    "mail_before_data",  # an employee's or the house's mail: the server has said yes to sender and recipient
    "mail_taken",  # the server has the whole mail and has said so
    "after_effect",
    "after_outcome",
    "before_recovered",  # a call whose worker died was found
    "before_wait",
    "before_end",
    "before_commit",  # of any step of a run
    "after_commit",
    "beat",
    "house_mail_claimed",
    "house_mail_sent",
    "house_mail_noted",
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
