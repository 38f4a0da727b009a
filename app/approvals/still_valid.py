"""Would this request still be asked as it stands? Sheet, tool and employee may have changed (case 18)."""

from collections.abc import Mapping

from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval
from app.employees.models import AgentStatus
from app.errors import PlacetError
from app.policy.words import N_
from app.runs.decided import TOOL_CHANGED, forbidden_by
from app.runs.models import Run, ToolCall
from app.runs.situation import look
from app.runs.states import ENDED

# What changed, in words that finish "This can no longer be approved: …".
WHY_NOT = {
    "run_ended": N_("the task has ended"),
    "expired": N_("nobody answered in time"),
    "agent_paused": N_("the employee is paused; let it go on first"),
    "agent_dismissed": N_("the employee no longer works here"),
    "tool_gone": N_("the employee no longer has what it needs for this"),
    "policy_changed": N_("its job sheet now forbids this"),
    "limits_changed": N_("a fixed limit of the company or of this kind of employee now forbids this"),
    "ceiling_passed": N_("a ceiling of its job sheet would be passed"),
    "tool_changed": N_("what it would use for this has changed since you were asked"),
    "arguments_changed": N_("it was changed after you saw it"),
    "too_late_to_run": N_("it could not start in time and was asked again"),
    "approver_changed": N_("the person who approved may no longer decide"),
}


OF_RULE = {
    "limits": "limits_changed",
    "ceiling": "ceiling_passed",
    "unreviewed": "tool_changed",
    TOOL_CHANGED: "tool_changed",
}


class NoLongerValid(PlacetError):
    """This can no longer be approved: %(why)s."""

    status = 409


async def require_valid(
    session: AsyncSession, approval: Approval, call: ToolCall, arguments: Mapping[str, JsonValue], *, hold: bool = False
) -> None:
    """Raises NoLongerValid, naming what changed, where a yes would not be carried out.

    `hold` sets aside what these arguments take of ceilings: they may be more than what was asked for.
    """
    if (why := await no_longer_because(session, approval, call, arguments, hold=hold)) is not None:
        raise NoLongerValid(why=why)


async def no_longer_because(
    session: AsyncSession, approval: Approval, call: ToolCall, arguments: Mapping[str, JsonValue], *, hold: bool = False
) -> str | None:
    """The name of what changed since the request was made (see WHY_NOT), or None: it still holds."""
    run = await session.get_one(Run, (approval.tenant_id, approval.run_id))
    if run.status in ENDED or run.cancelled_by is not None:
        return "run_ended"
    situation = await look(session, run)
    if situation.agent.status is AgentStatus.PAUSED:
        return "agent_paused"
    if situation.agent.status is AgentStatus.DISMISSED:
        return "agent_dismissed"
    tool = situation.tools.get(call.tool)
    if tool is None:
        return "tool_gone"
    rule = await forbidden_by(session, situation, call, tool, arguments, hold=hold)
    return None if rule is None else OF_RULE.get(rule, "policy_changed")
