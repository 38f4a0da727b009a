"""What does a stored job sheet say, in the words of the policy?"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from app.employees.models import JobSheet
from app.policy.decision import Comparison, Condition, Kind, Mode, ModeSheet, StandingException


def mode_sheet(sheet: JobSheet, words: Mapping[str, Any]) -> ModeSheet:
    """The sheet as `decide()` takes it; words that are not ours raise ValueError, so nothing is decided by them."""
    return ModeSheet(
        kinds={Kind(kind): Mode(mode) for kind, mode in sheet.kinds.items()},
        tools={name: Mode(mode) for name, mode in sheet.tools.items()},
        public_tools=frozenset(str(name) for name in sheet.public_tools),
        exceptions=tuple(_exception(stored) for stored in words.get("exceptions", ())),
        outside_content_rule=sheet.outside_content_rule,
    )


def _exception(stored: Mapping[str, Any]) -> StandingException:
    conditions = tuple(
        Condition(str(c["field"]), Comparison(c["comparison"]), c["value"]) for c in stored.get("conditions", ())
    )
    ends_on = stored.get("ends_on")
    return StandingException(
        id=str(stored["id"]),
        text=str(stored["text"]),
        tools=frozenset(str(name) for name in stored["tools"]),
        conditions=conditions,
        ends_on=date.fromisoformat(ends_on) if ends_on else None,
        uses_per_day=stored.get("uses_per_day"),
    )
