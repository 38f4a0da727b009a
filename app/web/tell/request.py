"""What does somebody see who is asked? First what the code knows, then the employee's sentence, then why it asks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from pydantic import JsonValue

from app.approvals.models import ApprovalStatus
from app.approvals.queries import Asked, asked_in_conversation, ids_waiting_for, why_no_longer
from app.connections.queries import sender_of
from app.employees.queries import Employee as Record
from app.employees.queries import get_employee
from app.identity.queries import deciders, names_of
from app.identity.roles import Permission
from app.runs.queries import Deed, deeds_of_tool, tasks_of_conversation
from app.runs.states import CallStatus
from app.runs.trace import TracedCall, trace
from app.tool_servers.tools import tool_named
from app.web.contexts.chrome import Field
from app.web.contexts.effects import Effect
from app.web.contexts.request import RefusedBefore, RequestPage
from app.web.forms import fields_of
from app.web.tell.abilities import ability
from app.web.tell.answered import answered, no_longer
from app.web.tell.effects import Around, effect, title
from app.web.tell.foreign import read_before
from app.web.tell.grants import offers
from app.web.tell.people import employee, person, persons
from app.web.tell.urgent import is_urgent
from app.web.tell.values import CURRENCY, decimal
from app.web.visit import Visit


@dataclass(frozen=True)
class Draft:
    """What somebody was about to answer, when it did not fit: shown again with what is wrong."""

    opened: Literal["", "change", "reject"] = ""
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    form_error: str = ""
    conflict: bool = False


async def request_page(visit: Visit, asked: Asked, draft: Draft | None = None) -> RequestPage:
    """The whole page of one request."""
    session, speech = visit.session, visit.speech
    who = await get_employee(session, asked.agent_id)
    others = [one for one in await asked_in_conversation(session, asked.conversation_id) if one.id != asked.id]
    names = await names_of(session, [one.decided_by for one in (*others, asked)])
    calls = await _calls(visit, asked)
    page = RequestPage(
        id=str(asked.id),
        employee=employee(visit, who),
        title=title(speech, asked.tool, asked.arguments),
        effect=await _effect(visit, asked, who, calls, others),
        why=asked.why,
        outside=asked.outside,
        decision=asked.decision,
        asked_at=asked.asked_at,
        expires_at=asked.expires_at,
        urgent=is_urgent(asked.expires_at),
        task_url=f"/tasks/{asked.run_id}",
        task_title=asked.title,
        conversation_url=f"/conversations/{asked.conversation_id}",
        read_before=read_before(speech, [call for call in calls if _before(call, asked)]),
        refused_before=tuple(_refused(visit, one, names) for one in others if _was_refused(one, asked)),
        totals=await _totals(visit, asked, who),
    )
    if asked.status is ApprovalStatus.PENDING and asked.expires_at > datetime.now(UTC):
        page = await _open(visit, asked, who, page, draft or Draft())
    else:
        told = answered(visit, asked, names)
        page = replace(page, pending=False, answered=told, conflict=draft is not None and draft.conflict)
    return _placed(page, asked.id, await ids_waiting_for(session, by=visit.member))


async def _open(visit: Visit, asked: Asked, who: Record, page: RequestPage, draft: Draft) -> RequestPage:
    """What a person needs to answer: the forms, or who can decide."""
    decides = visit.member.may_for(Permission.DECIDE, asked.agent_id)
    because = await why_no_longer(visit.session, asked)
    label = visit.speech.say("A word for %(name)s: why not, what instead", {"name": who.name})
    return replace(
        page,
        can_decide=decides,
        who_can=() if decides else persons(visit.member, await deciders(visit.session, asked.agent_id)),
        fields=await _fields(visit, asked, draft) if decides else (),
        opened=draft.opened,
        word=Field("word", label, kind="long", required=False),
        form_error=draft.form_error,
        no_longer=no_longer(visit, because) if because else "",
        offers=await offers(visit, asked) if decides and not because else (),
        ability=ability(visit.speech, asked.tool),
    )


def _placed(page: RequestPage, approval_id: UUID, waiting: Sequence[UUID]) -> RequestPage:
    """Where it stands among those that wait for this person."""
    if approval_id not in waiting:
        return replace(page, position=0, total=len(waiting))
    place = waiting.index(approval_id)
    return replace(
        page,
        position=place + 1,
        total=len(waiting),
        next_url=f"/requests/{waiting[place + 1]}" if place < len(waiting) - 1 else "",
        previous_url=f"/requests/{waiting[place - 1]}" if place > 0 else "",
    )


async def _calls(visit: Visit, asked: Asked) -> list[TracedCall]:
    """Every call of the conversation: what was read in its earlier tasks counts too."""
    tasks = await tasks_of_conversation(visit.session, asked.conversation_id)
    return [call for task in tasks for turn in await trace(visit.session, task.id) for call in turn.calls]


def _before(call: TracedCall, asked: Asked) -> bool:
    return call.outcome_at is not None and call.outcome_at <= asked.asked_at


async def _fields(visit: Visit, asked: Asked, draft: Draft) -> tuple[Field, ...]:
    tool = await tool_named(visit.session, asked.tool)
    if tool is None:
        return ()
    fields = fields_of(visit.speech, tool, {**asked.arguments, **draft.values}, draft.errors)
    return fields if any(not field.fixed for field in fields) else ()


async def _effect(
    visit: Visit, asked: Asked, who: Record, calls: Sequence[TracedCall], others: Iterable[Asked]
) -> Effect:
    number = asked.arguments.get("order")
    looked_up = [
        c
        for c in calls
        if c.tool == "lookup_order" and c.status is CallStatus.DONE and _order(c).get("order") == number
    ]
    last = looked_up[-1] if looked_up else None
    around = Around(
        sender_name=who.name,
        sender=await sender_of(visit.session, visit.house.settings.mail_from),
        order=_order(last) if last else None,
        refunded_since=_also_refunded(asked, others, last.outcome_at if last else None),
    )
    return effect(visit.speech, asked.tool, asked.arguments, around)


def _order(call: TracedCall) -> Mapping[str, JsonValue]:
    return call.value if isinstance(call.value, dict) else {}


def _also_refunded(asked: Asked, others: Iterable[Asked], since: datetime | None) -> Decimal:
    """What else is asked for on this order, or was booked after it was looked up."""
    total = Decimal(0)
    for other in others:
        same = other.tool == asked.tool == "refund_order" and other.arguments.get("order") == asked.arguments.get(
            "order"
        )
        waiting = other.status is ApprovalStatus.PENDING
        booked = other.call_status is CallStatus.DONE and since is not None and (other.outcome_at or since) > since
        if same and (waiting or booked):
            total += decimal(other.arguments.get("amount")) or Decimal(0)
    return total


def _was_refused(other: Asked, asked: Asked) -> bool:
    refused = other.status in (ApprovalStatus.REJECTED, ApprovalStatus.EXPIRED)
    return refused and other.asked_at <= asked.asked_at


def _refused(visit: Visit, other: Asked, names: Mapping[UUID, str]) -> RefusedBefore:
    by = person(visit.speech, visit.member, other.decided_by, names)
    at = other.decided_at or other.expires_at
    return RefusedBefore(title(visit.speech, other.tool, other.arguments), by, at, other.comment)


async def _totals(visit: Visit, asked: Asked, who: Record) -> tuple[str, ...]:
    """What the same tool has already done today, for whoever else it was."""
    done = await deeds_of_tool(visit.session, asked.agent_id, asked.tool, visit.speech.day_start())
    return (_total(visit, asked.tool, done, who.name),)


def _total(visit: Visit, tool: str, done: Sequence[Deed], name: str) -> str:
    speech, facts = visit.speech, {"name": name}
    if not done:
        return speech.say("%(name)s has not done this today.", facts)
    if tool == "refund_order":
        amount = sum((decimal(deed.arguments.get("amount")) or Decimal(0) for deed in done), Decimal(0))
        facts["amount"] = speech.money(amount, CURRENCY)
        return speech.count(
            "Refunded by %(name)s today: %(amount)s, once.",
            "Refunded by %(name)s today: %(amount)s, %(number)s times.",
            len(done),
            facts,
        )
    return speech.count("%(name)s did this once today.", "%(name)s did this %(number)s times today.", len(done), facts)
