"""When is a request shown as urgent? On its last day; before that the time that is left is a plain line."""

from datetime import UTC, datetime, timedelta

LAST = timedelta(days=1)


def is_urgent(expires_at: datetime) -> bool:
    """Whether less than a day is left."""
    return expires_at - datetime.now(UTC) < LAST
