"""How did a request end, and what became of it?"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal
from uuid import UUID

from pydantic import JsonValue

from app.approvals.models import ApprovalStatus
from app.approvals.queries import Asked
from app.approvals.still_valid import WHY_NOT, NoLongerValid
from app.runs.states import CallStatus
from app.tools.catalogue import TOOLS
from app.web.contexts.chrome import Person, Tone
from app.web.contexts.request import Answered, Change
from app.web.tell.effects import SENDS
from app.web.tell.people import person
from app.web.tell.values import in_full, label, told
from app.web.visit import Visit

VERDICTS: dict[ApprovalStatus, Literal["approved", "rejected", "expired", "withdrawn", "superseded"]] = {
    ApprovalStatus.APPROVED: "approved",
    ApprovalStatus.REJECTED: "rejected",
    ApprovalStatus.EXPIRED: "expired",
    ApprovalStatus.WITHDRAWN: "withdrawn",
    ApprovalStatus.SUPERSEDED: "superseded",
    ApprovalStatus.PENDING: "expired",  # past its deadline, before a sweep has written so
}


def answered(visit: Visit, asked: Asked, names: Mapping[UUID, str]) -> Answered:
    """Who decided, when, with which word and changes, and what came of it."""
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
                _value(visit, asked, name, before),
                _value(visit, asked, name, asked.arguments.get(name)),
            )
            for name, before in asked.first.items()
            if before != asked.arguments.get(name)
        ),
        outcome=sentence,
        tone=tone,
    )


def _value(visit: Visit, asked: Asked, name: str, value: JsonValue) -> str:
    """As our own abilities mean it; an amount of another service may be in any currency."""
    return told(visit.speech, name, value) if asked.tool in TOOLS else in_full(visit.speech, value)


def _outcome(visit: Visit, asked: Asked) -> tuple[str, Tone]:
    """What became of it."""
    say = visit.speech.say
    if asked.status is ApprovalStatus.WITHDRAWN:
        return no_longer(visit, asked.withdrawn_why) if asked.withdrawn_why in WHY_NOT else "", "calm"
    if asked.status is not ApprovalStatus.APPROVED:
        return say("It was not done."), "calm"
    match asked.call_status:
        case CallStatus.DONE:
            at = {"time": visit.speech.when(asked.outcome_at or asked.asked_at)}
            return say("Sent, %(time)s", at) if asked.tool == SENDS else say("Done, %(time)s", at), "good"
        case CallStatus.FAILED:
            return say("It did not work. The task says why."), "bad"
        case CallStatus.REFUSED:
            return say("It was not done after all: the rules no longer allowed it."), "bad"
        case CallStatus.UNCERTAIN:
            return say("Nobody knows whether it happened."), "bad"
        case _:
            return say("It is about to be done."), "wait"


def no_longer(visit: Visit, because: str) -> str:
    """Why a yes would not be carried out, as a whole sentence."""
    return visit.speech.say(NoLongerValid().sentence, {"why": visit.speech.say(WHY_NOT[because])})
