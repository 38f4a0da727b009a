"""What does somebody see who is asked? First what the code knows, then the employee's sentence, then why it asks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from pydantic import JsonValue

from app.approvals.models import ApprovalStatus
from app.approvals.queries import Asked, asked_in_conversation, ids_waiting_for, why_no_longer
from app.approvals.still_valid import WHY_NOT, NoLongerValid
from app.employees.queries import Employee as Record
from app.employees.queries import get_employee
from app.identity.queries import deciders, names_of
from app.identity.roles import Permission
from app.runs.queries import Deed, deeds_of_tool, tasks_of_conversation
from app.runs.states import CallStatus
from app.runs.trace import TracedCall, trace
from app.tools.catalogue import TOOLS
from app.web.contexts.chrome import Field, Person
from app.web.contexts.effects import Effect
from app.web.contexts.request import Answered, Change, RefusedBefore, RequestPage
from app.web.forms import fields_of
from app.web.tell.effects import Around, effect, title
from app.web.tell.foreign import read_before
from app.web.tell.people import employee, person, persons
from app.web.tell.values import CURRENCY, decimal, label, told
from app.web.visit import Visit

VERDICTS: dict[ApprovalStatus, Literal["approved", "rejected", "expired", "withdrawn", "superseded"]] = {
    ApprovalStatus.APPROVED: "approved",
    ApprovalStatus.REJECTED: "rejected",
    ApprovalStatus.EXPIRED: "expired",
    ApprovalStatus.WITHDRAWN: "withdrawn",
    ApprovalStatus.SUPERSEDED: "superseded",
    ApprovalStatus.PENDING: "expired",  # past its deadline, before a sweep has written so
}


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
    session, speech, draft = visit.session, visit.speech, draft or Draft()
    who = await get_employee(session, asked.agent_id)
    others = [one for one in await asked_in_conversation(session, asked.conversation_id) if one.id != asked.id]
    names = await names_of(session, [one.decided_by for one in (*others, asked)])
    calls = await _calls(visit, asked)
    pending = asked.status is ApprovalStatus.PENDING and asked.expires_at > datetime.now(UTC)
    decides = visit.member.may(Permission.DECIDE) and visit.member.decides_for(asked.agent_id)
    because = await why_no_longer(session, asked) if pending else None
    waiting = await ids_waiting_for(session, by=visit.member)
    place = waiting.index(asked.id) if asked.id in waiting else -1
    return RequestPage(
        id=str(asked.id),
        employee=employee(visit, who),
        title=title(speech, asked.tool, asked.arguments),
        effect=_effect(visit, asked, who, calls, others),
        why=asked.why,
        outside=asked.outside,
        decision=asked.decision,
        asked_at=asked.asked_at,
        expires_at=asked.expires_at,
        task_url=f"/tasks/{asked.run_id}",
        task_title=asked.title,
        conversation_url=f"/conversations/{asked.conversation_id}",
        pending=pending,
        can_decide=decides,
        who_can=() if decides else persons(visit.member, await deciders(session, asked.agent_id)),
        read_before=read_before(speech, [call for call in calls if _before(call, asked)]),
        refused_before=tuple(_refused(visit, one, names) for one in others if _was_refused(one, asked)),
        totals=await _totals(visit, asked, who),
        fields=_fields(visit, asked, draft) if pending and decides else (),
        opened=draft.opened,
        word=Field(
            "word",
            speech.say("A word for %(name)s: why not, what instead", {"name": who.name}),
            "",
            "long",
            required=False,
        ),
        form_error=draft.form_error,
        answered=None if pending else _answered(visit, asked, names),
        conflict=draft.conflict,
        no_longer=no_longer(visit, because) if because else "",
        position=place + 1,
        total=len(waiting),
        next_url=f"/requests/{waiting[place + 1]}" if 0 <= place < len(waiting) - 1 else "",
        previous_url=f"/requests/{waiting[place - 1]}" if place > 0 else "",
    )


def no_longer(visit: Visit, because: str) -> str:
    """Why a yes would not be carried out, as a whole sentence."""
    return visit.speech.say(NoLongerValid().sentence, {"why": visit.speech.say(WHY_NOT[because])})


async def _calls(visit: Visit, asked: Asked) -> list[TracedCall]:
    """Every call of the conversation: what was read in its earlier tasks counts too."""
    tasks = await tasks_of_conversation(visit.session, asked.conversation_id)
    return [call for task in tasks for turn in await trace(visit.session, task.id) for call in turn.calls]


def _before(call: TracedCall, asked: Asked) -> bool:
    return call.outcome_at is not None and call.outcome_at <= asked.asked_at


def _fields(visit: Visit, asked: Asked, draft: Draft) -> tuple[Field, ...]:
    if asked.tool not in TOOLS:
        return ()
    return fields_of(visit.speech, TOOLS[asked.tool], {**asked.arguments, **draft.values}, draft.errors)


def _effect(visit: Visit, asked: Asked, who: Record, calls: Sequence[TracedCall], others: Iterable[Asked]) -> Effect:
    number = asked.arguments.get("order")
    looked_up = [
        c
        for c in calls
        if c.tool == "lookup_order" and c.status is CallStatus.DONE and _order(c).get("order") == number
    ]
    last = looked_up[-1] if looked_up else None
    around = Around(
        sender_name=who.name,
        sender=visit.house.settings.mail_from,
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
        once, often = (
            "Refunded by %(name)s today: %(amount)s, once.",
            "Refunded by %(name)s today: %(amount)s, %(number)s times.",
        )
        return speech.count(once, often, len(done), facts)
    return speech.count("%(name)s did this once today.", "%(name)s did this %(number)s times today.", len(done), facts)


def _answered(visit: Visit, asked: Asked, names: Mapping[UUID, str]) -> Answered:
    by: Person | None = person(visit.speech, visit.member, asked.decided_by, names)
    verdict = VERDICTS[asked.status]
    sentence, tone = _outcome(visit, asked)
    return Answered(
        verdict="changed" if verdict == "approved" and asked.changed else verdict,
        at=asked.decided_at or min(asked.expires_at, datetime.now(UTC)),
        by=by,
        word=asked.comment,
        changes=tuple(
            Change(
                label(visit.speech, name),
                told(visit.speech, name, before),
                told(visit.speech, name, asked.arguments.get(name)),
            )
            for name, before in asked.first.items()
            if before != asked.arguments.get(name)
        ),
        outcome=sentence,
        tone=tone,
    )


def _outcome(visit: Visit, asked: Asked) -> tuple[str, Literal["calm", "good", "wait", "bad"]]:
    """What became of it."""
    say = visit.speech.say
    if asked.status is ApprovalStatus.WITHDRAWN:
        return no_longer(visit, asked.withdrawn_why) if asked.withdrawn_why in WHY_NOT else "", "calm"
    if asked.status is not ApprovalStatus.APPROVED:
        return say("It was not done."), "calm"
    match asked.call_status:
        case CallStatus.DONE:
            return say("Done, %(time)s", {"time": visit.speech.when(asked.outcome_at or asked.asked_at)}), "good"
        case CallStatus.FAILED:
            return say("It did not work. The task says why."), "bad"
        case CallStatus.REFUSED:
            return say("It was not done after all: the rules no longer allowed it."), "bad"
        case CallStatus.UNCERTAIN:
            return say("Nobody knows whether it happened."), "bad"
        case _:
            return say("It is about to be done."), "wait"
