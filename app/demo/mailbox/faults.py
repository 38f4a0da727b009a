"""What goes wrong at the mail server, on a test's demand?

A sender must cope with each of these. The one that matters most is a reply lost after the final dot: the mail
is here, and the sender cannot know it (promise 5).
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Moment(StrEnum):
    """When in the conversation a fault strikes."""

    EHLO = "EHLO"
    MAIL = "MAIL"
    RCPT = "RCPT"
    DATA = "DATA"
    DOT = "DOT"  # the whole mail has come


@dataclass
class Fault:
    """Wait, then answer `reply` in place of doing it, or `drop` the connection; the next `times` times.

    Dropped at DOT, the mail is kept and only the reply is lost; dropped earlier, nothing was kept.
    """

    at: Moment
    reply: str = ""
    drop: bool = False
    delay: float = 0
    times: int = 1


@dataclass
class Faults:
    """The faults to come, in the order in which they were asked for."""

    planned: list[Fault] = field(default_factory=list)

    def plan(self, fault: Fault) -> None:
        """Let this happen from now on."""
        self.planned.append(fault)

    def take(self, moment: Moment) -> Fault | None:
        """The fault that strikes at this moment, if any; it is used up by it."""
        for fault in self.planned:
            if fault.at is moment and fault.times > 0:
                fault.times -= 1
                return fault
        return None
