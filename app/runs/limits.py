"""What bounds a run? Every bound in one value, with its unit and reason; each end has a name (promise 7)."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from app.runs.models import Origin


@dataclass(frozen=True)
class Limits:
    """The bounds of one run."""

    steps: int  # turns of the model
    calls_per_tool: int = 5
    calls_per_search: int = 10  # search and web tools are naturally used more
    error_rounds: int = 3  # turns in a row in which every call failed or was invalid
    tokens: int = 2_000_000  # input and output of all turns: what a runaway may read
    usd: Decimal = Decimal(5)  # a task that costs more is looked at by a person first
    worked: timedelta = timedelta(hours=1)  # waiting is not counted
    age: timedelta = timedelta(days=30)
    max_tokens: int = 4096  # of one answer; raised once where it was cut
    raised_max_tokens: int = 16_384
    open_requests: int = 20  # per employee and correspondent: nobody floods an inbox
    model_trouble: timedelta = timedelta(hours=24)
    start_after_yes: timedelta = timedelta(hours=24)  # a decision has an age
    uncertain: timedelta = timedelta(hours=72)


CHAT = Limits(steps=30)
AUTOMATIC = Limits(steps=12)  # nobody watches


def limits_for(origin: Origin) -> Limits:
    """A person's own task may take longer than one that started by itself."""
    return CHAT if origin in (Origin.PERSON, Origin.VISITOR) else AUTOMATIC
