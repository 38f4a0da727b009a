"""Why did a service not say what it can do? The causes that a person can do something about, told apart."""

from collections.abc import Awaitable, Callable, Iterator
from enum import StrEnum
from typing import Any

from app.tools.addresses import Refused
from app.tools.going_out import NotSent, PortRefused
from app.tools.mcp.programs import NotStartedHere

NOT_YOURS = (401, 403)


class Why(StrEnum):
    """What was wrong."""

    UNREACHABLE = "unreachable"
    REFUSED = "refused"  # by our own guard
    PORT = "port"  # by our own guard, for its number alone
    NOT_ALLOWED = "not_allowed"  # a program that the operator does not name
    KEY = "key"
    SLOW = "slow"
    UNREADABLE = "unreadable"


def why_silent(error: BaseException, answers: list[int]) -> Why:
    """From what was raised, however deep the SDK wrapped it, and from the statuses of the answers that came."""
    causes = list(_causes(error))
    if any(isinstance(one, NotStartedHere) for one in causes):
        return Why.NOT_ALLOWED
    if any(isinstance(one, PortRefused) for one in causes):
        return Why.PORT
    if any(isinstance(one, Refused) for one in causes):
        return Why.REFUSED
    if any(isinstance(one, NotSent) for one in causes):
        return Why.UNREACHABLE
    if any(status in NOT_YOURS for status in answers):
        return Why.KEY
    if any(isinstance(one, TimeoutError) for one in causes):
        return Why.SLOW
    return Why.UNREADABLE if answers else Why.UNREACHABLE


def noting(answers: list[int]) -> Callable[[Any], Awaitable[None]]:
    """A hook that keeps the status of each answer."""

    async def note(response: Any) -> None:
        answers.append(response.status_code)

    return note


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    if error is None:
        return
    yield error
    yield from _causes(error.__cause__)
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _causes(inner)
