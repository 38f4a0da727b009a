"""Which facts does a decision about one call rest on? Gathered here, decided in app/policy/decide.py."""

from collections.abc import Mapping

from pydantic import JsonValue

from app.policy.decision import Facts, Refused
from app.runs.models import ToolCall
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
) -> Facts:
    """The facts of a call of `tool` with these canonical arguments, as things stand in `situation`."""
    return Facts(
        tool=tool.view(),
        sheet=situation.modes,
        limits=situation.hard,
        things=_things(arguments),
        on_trial=situation.agent.on_trial,
        outside_read=situation.conversation.outside_at is not None,
        refused=refused,
        person_refused=any(call.refused_by == "person" for call in situation.calls),
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


def _things(arguments: Mapping[str, JsonValue]) -> int:
    """How many things the call acts on: its longest list counts."""
    return max((len(value) for value in arguments.values() if isinstance(value, list)), default=1)
