"""Something happens at one named place of the code, or everything stops there as if the process had died."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from app.runs import breakpoints


class Killed(BaseException):
    """The worker is gone: nothing of ours may catch it."""


@contextmanager
def at(name: str, do: Callable[[], Awaitable[None]], *, times: int = 1) -> Iterator[None]:
    """Call `do` the first times that this place is reached."""
    left = times

    async def hook(reached: str) -> None:
        nonlocal left
        if reached == name and left > 0:
            left -= 1
            await do()

    breakpoints.watch(hook)
    try:
        yield
    finally:
        breakpoints._hooks.remove(hook)


async def die() -> None:
    """As `kill -9` would: what is not committed never was."""
    raise Killed
