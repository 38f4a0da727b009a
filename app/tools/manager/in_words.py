"""How is a note to the manager told to people?"""

from collections.abc import Mapping

from pydantic import JsonValue

from app.policy.words import N_
from app.tools.tool import Effect


def note(arguments: Mapping[str, JsonValue]) -> Effect:
    """A note for the employee's manager."""
    return Effect("note", N_("Leave a note for the manager"), {"text": str(arguments.get("note", ""))})
