"""How is text shown that somebody outside could write? Raw, in full, under its source, clearly not ours."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pydantic import JsonValue

from app.language.speech import Speech
from app.runs.states import CallStatus
from app.runs.trace import TracedCall
from app.web.contexts.chrome import Foreign, Row
from app.web.tell.values import CURRENCY, in_full, label, told

FOLDED_FROM = 1500  # characters
ORDER = ("status", "ordered_on", "paid", "refunded", "tracking")


def read_before(speech: Speech, calls: Iterable[TracedCall]) -> tuple[Foreign, ...]:
    """What an employee had read from outside; the same text once, however often it was read."""
    found = [of_call(speech, call) for call in calls if call.brings_outside and call.status is CallStatus.DONE]
    return tuple({(one.title, one.text): one for one in found}.values())


def of_call(speech: Speech, call: TracedCall) -> Foreign:
    """The result of one call."""
    value = call.value if isinstance(call.value, dict) else {}
    if call.tool == "read_mail":
        return mail(speech, value, call.outcome_at)
    if call.tool == "lookup_order":
        return _order(speech, value, call.outcome_at)
    text = in_full(speech, call.value) if call.value is not None else call.result
    return Foreign(speech.say("What was found"), text, proven=None, at=call.outcome_at, open=len(text) < FOLDED_FROM)


def mail(speech: Speech, value: Mapping[str, JsonValue], at: datetime | None) -> Foreign:
    """A mail that arrived: its sender is what it claims to be, and nobody has proven it."""
    sender, name = str(value.get("from") or ""), str(value.get("from_name") or "")
    text = str(value.get("body") or "")
    rows = (
        Row(speech.say("From"), f"{name} <{sender}>" if name else sender),
        Row(speech.say("Subject"), str(value.get("subject") or "") or speech.say("(no subject)")),
        Row(speech.say("Date"), _when(speech, str(value.get("date") or ""))),
    )
    title = speech.say("Mail from %(sender)s", {"sender": sender})
    written = tuple(row for row in rows if row.value)
    return Foreign(title, text, rows=written, proven=False, at=at, open=len(text) < FOLDED_FROM)


def _when(speech: Speech, date: str) -> str:
    """The date that the mail itself claims; one that is no date as it is written."""
    try:
        claimed = parsedate_to_datetime(date)
        return speech.when(claimed if claimed.tzinfo else claimed.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return date


def _order(speech: Speech, value: Mapping[str, JsonValue], at: datetime | None) -> Foreign:
    currency = str(value.get("currency") or CURRENCY)
    rows = tuple(
        Row(label(speech, name), told(speech, name, value[name], currency)) for name in ORDER if value.get(name)
    )
    note = str(value.get("customer_note") or "") or speech.say("The customer left no note.")
    title = speech.say("Order %(order)s in the shop", {"order": str(value.get("order") or "")})
    return Foreign(title, note, rows=rows, proven=None, at=at, open=False)
