"""What happened in a task, as a story that one reads at a glance, with every detail behind it?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

from app.approvals.queries import Asked, asked_in_run
from app.employees.queries import Employee as Record
from app.employees.queries import get_employee
from app.identity.queries import names_of
from app.language.speech import N_, Speech
from app.language.words import ENDS, state_sentence
from app.policy.decision import Mode
from app.runs.models import Origin
from app.runs.queries import Task
from app.runs.states import CallStatus, End, RunStatus, WaitingFor
from app.runs.trace import TracedCall, TracedTurn, trace
from app.web.contexts.chrome import Person, Tone
from app.web.contexts.task import Bar, CallView, RunPage, Tokens, TurnView
from app.web.tell.effects import rows, title
from app.web.tell.foreign import of_call
from app.web.tell.people import employee, person
from app.web.tell.values import in_full
from app.web.visit import Visit

CURRENCY = "USD"
WHOLE = 1000  # a bar is told in thousandths
TONES: dict[RunStatus, Tone] = {
    RunStatus.QUEUED: "calm",
    RunStatus.RUNNING: "calm",
    RunStatus.WAITING: "wait",
    RunStatus.DONE: "good",
    RunStatus.STOPPED: "bad",
    RunStatus.FAILED: "bad",
    RunStatus.CANCELLED: "calm",
}
ORIGINS: dict[Origin, str] = {
    Origin.PERSON: N_("Given by %(name)s"),
    Origin.TRIGGER: N_("Started by a mail that arrived"),
    Origin.SCHEDULE: N_("Started by the calendar"),
    Origin.VISITOR: N_("Started by a visitor"),
    Origin.AGENT: N_("Given by another employee"),
}
CALLS: dict[CallStatus, tuple[str, Tone]] = {
    CallStatus.READY: (N_("about to be done"), "calm"),
    CallStatus.ASKING: (N_("waits for an answer"), "wait"),
    CallStatus.RUNNING: (N_("under way"), "calm"),
    CallStatus.DONE: (N_("done"), "good"),
    CallStatus.FAILED: (N_("did not work"), "bad"),
    CallStatus.REFUSED: (N_("not allowed, so not done"), "bad"),
    CallStatus.UNCERTAIN: (N_("nobody knows whether it happened"), "bad"),
}
REFUSED_BY: dict[str, str] = {
    "person": N_("rejected by %(name)s"),
    "silence": N_("nobody answered in time, so not done"),
    "run_ended": N_("not done, since the task ended"),
    "guard": N_("held back: the same thing again, or too often"),
}


@dataclass
class _Clock:
    """Where on the bar of working time something stands."""

    whole: float
    at: float = 0

    def next(self, seconds: float) -> Bar:
        """The bar of what comes next."""
        start = round(self.at / self.whole * WHOLE) if self.whole else 0
        self.at += seconds
        end = round(self.at / self.whole * WHOLE) if self.whole else 0
        return Bar(min(start, WHOLE - 1), max(1, end - start))


async def run_page(visit: Visit, task: Task) -> RunPage:
    """The whole story."""
    session, speech = visit.session, visit.speech
    record = await get_employee(session, task.agent_id)
    turns = await trace(session, task.id)
    asked = {one.call_id: one for one in await asked_in_run(session, task.id)}  # the newest of each call
    names = await names_of(session, [task.started_by, *(one.decided_by for one in asked.values())])
    clock = _Clock(
        sum(_seconds(call) for turn in turns for call in turn.calls) + sum(t.duration_ms for t in turns) / 1000
    )
    told = tuple(_turn(visit, turn, clock, asked, names) for turn in turns)
    state, tone = state_of(visit, record, task)
    lasted = ((task.ended_at or datetime.now(UTC)) - task.made_at).total_seconds()
    return RunPage(
        id=str(task.id),
        title=task.title,
        employee=employee(visit, record),
        origin=speech.say(ORIGINS[task.origin], {"name": _giver(visit, task, names)}),
        state=state,
        tone=tone,
        why_ended=speech.say(ENDS[task.end]) if task.end and task.end is not End.ANSWERED else "",
        started_at=task.made_at,
        ended_at=task.ended_at,
        worked_seconds=clock.whole,
        waited_seconds=max(0.0, lasted - clock.whole),
        turns=_marked_outside(told, turns),
        tokens=_sum([turn.tokens for turn in told]),
        cost=sum((turn.cost for turn in turns), Decimal(0)),
        currency=CURRENCY,
        model=turns[-1].model if turns else visit.house.settings.placet_model,
        conversation_url=f"/conversations/{task.conversation_id}",
        live=task.going,
    )


def state_of(visit: Visit, record: Record, task: Task | None) -> tuple[str, Tone]:
    """Where a task is, in words, and the colour that repeats it."""
    say = visit.speech.say
    if task is None:
        return say("Nothing to do yet"), "calm"
    if task.going and record.paused:
        return say("%(name)s is paused", {"name": record.name}), "wait"
    if task.waiting_for is WaitingFor.PERSON:
        return say("%(name)s waits for an answer", {"name": record.name}), "wait"
    return state_sentence(visit.speech, task.status, task.waiting_for), TONES[task.status]


def _turn(
    visit: Visit, turn: TracedTurn, clock: _Clock, asked: Mapping[UUID, Asked], names: Mapping[UUID, str]
) -> TurnView:
    bar = clock.next(turn.duration_ms / 1000)
    note = (
        ""
        if turn.counted
        else visit.speech.say("This answer was cut off or could not be used; it was asked for again.")
    )
    return TurnView(
        number=turn.number,
        at=turn.made_at,
        seconds=turn.duration_ms / 1000,
        bar=bar,
        said=turn.said,
        outside=False,
        calls=tuple(_call(visit, call, clock, asked.get(call.id), names) for call in turn.calls),
        tokens=Tokens(turn.input_tokens, turn.cache_read_tokens, turn.cache_write_tokens, turn.output_tokens),
        cost=turn.cost,
        note=note,
    )


def _call(visit: Visit, call: TracedCall, clock: _Clock, asked: Asked | None, names: Mapping[UUID, str]) -> CallView:
    speech, seconds = visit.speech, _seconds(call)
    by = person(speech, visit.member, asked.decided_by if asked else None, names)
    state, tone = _state(visit, call, by)
    done = call.status is CallStatus.DONE
    arguments = (asked.arguments if asked else None) or call.arguments or call.asked_for
    return CallView(
        id=str(call.id),
        title=title(speech, call.tool, arguments),
        state=state,
        tone=tone,
        at=call.made_at,
        seconds=seconds,
        bar=clock.next(seconds),
        decision=call.decision,
        why=call.why,
        rows=rows(speech, call.tool, arguments),
        result=_result(speech, call),
        foreign=of_call(speech, call) if call.brings_outside and done else None,
        request_url=f"/requests/{asked.id}" if asked else "",
        by=by,
        word=asked.comment if asked else "",
    )


def _result(speech: Speech, call: TracedCall) -> str:
    """What came of it. What the employee was told instead of a result is said by the call's state, in our words."""
    if call.brings_outside or call.status in (CallStatus.REFUSED, CallStatus.UNCERTAIN):
        return ""
    return in_full(speech, call.value) if call.value is not None else call.result


def _state(visit: Visit, call: TracedCall, by: Person | None) -> tuple[str, Tone]:
    sentence, tone = CALLS[call.status]
    if call.status is CallStatus.REFUSED and call.refused_by:
        sentence = REFUSED_BY.get(call.refused_by.partition(":")[0], sentence)
    if call.status is CallStatus.DONE and call.decision.mode is Mode.TELL:
        sentence = N_("done, and reported")
    if call.status is CallStatus.DONE and by is not None:
        sentence = N_("approved by %(name)s, done")
    return visit.speech.say(sentence, {"name": _name(visit, by)}), tone


def _name(visit: Visit, by: Person | None) -> str:
    return "" if by is None else visit.speech.say("you") if by.is_me else by.name


def _giver(visit: Visit, task: Task, names: Mapping[UUID, str]) -> str:
    return _name(visit, person(visit.speech, visit.member, task.started_by, names))


def _marked_outside(told: Sequence[TurnView], turns: Sequence[TracedTurn]) -> tuple[TurnView, ...]:
    """From the first text from outside on, what the employee says is drawn from it."""
    outside, marked = False, []
    for view, turn in zip(told, turns, strict=True):
        calls = tuple(replace(call, outside=outside) for call in view.calls)
        marked.append(replace(view, outside=outside, calls=calls))
        outside = outside or any(call.brings_outside for call in turn.calls)
    return tuple(marked)


def _sum(all_of_them: Sequence[Tokens]) -> Tokens:
    return Tokens(
        sum(one.read for one in all_of_them),
        sum(one.read_again for one in all_of_them),
        sum(one.kept for one in all_of_them),
        sum(one.written for one in all_of_them),
    )


def _seconds(call: TracedCall) -> float:
    if call.intent_at is None or call.outcome_at is None:
        return 0.0
    return max(0.0, (call.outcome_at - call.intent_at).total_seconds())
