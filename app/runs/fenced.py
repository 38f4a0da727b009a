"""Is the run still ours in the instant before a mail leaves? Connecting may outlast a lease (RELIABILITY B4)."""

from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage

from app.errors import ToolError
from app.runs.claim import Lease, LeaseLost
from app.tools.context import PostOffice

TOO_LATE = "It took too long to reach the mail server. The mail was not sent."


@dataclass(frozen=True)
class FencedPost:
    """The company's mail server for one run: a worker that slept past its lease sends nothing."""

    post: PostOffice
    lease: Lease

    async def send(self, mail: EmailMessage, *, last_look: Callable[[], None] | None = None) -> None:
        """Raises ToolError where nothing was sent, OutcomeUnknown where nobody knows."""
        try:
            await self.post.send(mail, last_look=last_look or self.lease.require_time)
        except LeaseLost as lost:
            raise ToolError(TOO_LATE) from lost  # told to nobody if another worker has the run now
