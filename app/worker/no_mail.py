"""What happens to mail where no mail server is set? It is not sent, and that is said."""

from collections.abc import Callable
from email.message import EmailMessage

from app.errors import ToolError


class NoPostOffice:
    """Stands where SMTP_URL is missing."""

    async def send(self, mail: EmailMessage, *, last_look: Callable[[], None] | None = None) -> None:
        """Raises ToolError: nothing was sent."""
        raise ToolError("No mail server is set up, so the mail was not sent. Tell your manager.")
