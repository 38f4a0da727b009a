"""Which facts does a decision about one call rest on? Gathered here, decided in app/policy/decide.py."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from app.approvals.models import ApprovalStatus
from app.policy.decision import CeilingFact, Facts, Refused
from app.runs.models import Origin, ToolCall
from app.runs.situation import Situation
from app.runs.states import CallStatus
from app.tools.tool import Tool

BY_A_PERSON = frozenset({"person", "silence"})


def facts_for(
    situation: Situation,
    tool: Tool,
    arguments: Mapping[str, JsonValue],
    *,
    cited: str | None,
    refused: Refused | None = None,
    ceilings: tuple[CeilingFact, ...] = (),
    asked_at: datetime | None = None,
) -> Facts:
    """The facts of a call of `tool` with these canonical arguments, as things stand in `situation`.

    `asked_at` is when the model's turn was made: what a neighbour in the same turn read since did not speak to it.
    """
    return Facts(
        tool=tool.view(),
        sheet=situation.modes,
        limits=situation.hard,
        ceilings=ceilings,
        things=_things(arguments),
        on_trial=situation.agent.on_trial,
        public_channel=situation.run.origin is Origin.VISITOR,
        outside_read=_read_outside(situation, asked_at),
        house_read=situation.house_read,
        refused=refused,
        person_refused=_person_refused(situation),
        grants=situation.grants,
        arguments=arguments,
        cited=cited or None,
        today=situation.today,
    )


def refused_before(
    calls: list[ToolCall], *, tool: str, mark: str, nearly: str, target: str | None, itself: object = None
) -> Refused | None:
    """What a person's no (or an uncertain outcome) earlier in this run means for a call like this one."""
    earlier = [call for call in calls if call.id != itself]
    no = [call for call in earlier if call.refused_by in BY_A_PERSON]
    if any(call.tool == tool and (call.arguments_mark == mark or call.nearly_mark == nearly) for call in no):
        return "no"
    unsure = [call for call in earlier if call.status is CallStatus.UNCERTAIN]
    if any(
        call.tool == tool and (call.nearly_mark == nearly or (target and call.target_mark == target)) for call in unsure
    ):
        return "uncertain"
    if target is not None and any(call.target_mark == target for call in no):
        return "same_target"
    return None


def _read_outside(situation: Situation, asked_at: datetime | None) -> bool:
    """Whether the conversation held a third party's text, by then where a moment is given."""
    since = situation.conversation.outside_at
    return since is not None and (asked_at is None or since <= asked_at)


def _person_refused(situation: Situation) -> bool:
    """Whether a person said no in this run, also where the model has not heard of it yet."""
    said_no = any(one.status is ApprovalStatus.REJECTED for one in situation.approvals.values())
    return said_no or any(call.refused_by == "person" for call in situation.calls)


def _things(arguments: Mapping[str, JsonValue]) -> int:
    """How many things the call acts on: its longest list counts."""
    return max((len(value) for value in arguments.values() if isinstance(value, list)), default=1)
