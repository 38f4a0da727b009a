"""How does a person answer a request? Once: the first answer counts, the others are told who decided (promise 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.always import NotOffered, Width, give
from app.approvals.models import Approval, ApprovalStatus
from app.approvals.still_valid import NoLongerValid, require_valid
from app.audit.events import Event
from app.audit.journal import record
from app.ceilings.reserve import give_back
from app.content import seal
from app.database.transaction import tenant_of
from app.errors import NotFound, PlacetError
from app.identity.decides import name_of
from app.identity.roles import Member, Permission
from app.operations import first_time
from app.runs.call import mark_arguments
from app.runs.models import Run, ToolCall
from app.runs.states import RunStatus, WaitingFor
from app.tool_servers.tools import tool_named
from app.tools.tool import ArgumentsInvalid

LONGEST_COMMENT = 2000  # characters


class Verdict(StrEnum):
    """What a person says."""

    APPROVE = "approve"
    REJECT = "reject"


@dataclass(frozen=True)
class Answer:
    """One person's answer: `changed` are new values of the arguments that the schema shows, if they changed any.

    `always` lets such calls go ahead in this conversation from now on; other requests that wait already keep waiting.
    """

    verdict: Verdict
    comment: str = ""
    changed: Mapping[str, JsonValue] | None = None
    always: Width | None = None


class NotYoursToDecide(PlacetError):
    """This is not yours to decide. A manager of this employee or an administrator can."""

    status = 403


class AlreadyDecided(PlacetError):
    """%(who)s has already decided this."""

    status = 409


class TooLate(PlacetError):
    """Nobody answered in time, so this was refused. The employee knows."""

    status = 409


class ChangeInvalid(PlacetError):
    """Please look at the marked fields."""

    status = 422

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__()
        self.fields = fields


@dataclass(frozen=True)
class _New:
    """The arguments that will run, and their mark."""

    arguments_id: UUID
    mark: str
    changed: bool = field(default=False)


async def answer(session: AsyncSession, approval_id: UUID, given: Answer, *, by: Member, operation: UUID) -> None:
    """Keep one person's answer, its line in the journal, and the wake-up of the run: all or none.

    The caller owns the transaction. `WHERE status = 'pending'` is what makes two people who answer at the same
    instant end as one answer and one AlreadyDecided. Raises NotFound, NotYoursToDecide, AlreadyDecided, TooLate,
    NoLongerValid, ChangeInvalid. The same `operation` twice is one answer.
    """
    approval = await session.get(Approval, (by.tenant_id, approval_id))
    if approval is None:
        raise NotFound
    if not by.may(Permission.DECIDE) or not by.decides_for(approval.agent_id):
        raise NotYoursToDecide
    if not await first_time(
        session, operation, "approval.answer", by=by.user_id, outcome={"approval": str(approval_id)}
    ):
        return
    await hold_run(session, approval.run_id)
    call = await session.get_one(ToolCall, (by.tenant_id, approval.call_id))
    new = _New(approval.arguments_id, approval.arguments_mark)
    if given.verdict is Verdict.APPROVE and approval.status is ApprovalStatus.PENDING:
        new = await _checked(session, approval, call, given, by=by)
    await _decide_once(session, approval, given, new, by=by)
    if given.verdict is Verdict.REJECT:
        await give_back(session, call.id)
    grant_id = await _always(session, approval, call, given, new, by=by)
    await wake(session, by.tenant_id, approval.run_id)
    event = Event.APPROVAL_REJECTED
    if given.verdict is Verdict.APPROVE:
        event = Event.APPROVAL_CHANGED if new.changed else Event.APPROVAL_APPROVED
    facts: dict[str, str | int | bool | None] = {"tool": call.tool, "sheet": str(approval.sheet_id)}
    await record(session, event, by=by.user_id, about=approval.id, agent_id=approval.agent_id, facts=facts)
    if grant_id is not None and given.always is not None:
        facts = {"tool": call.tool, "width": given.always.value}
        await record(session, Event.GRANT_GIVEN, by=by.user_id, about=grant_id, agent_id=approval.agent_id, facts=facts)


async def _always(
    session: AsyncSession, approval: Approval, call: ToolCall, given: Answer, new: _New, *, by: Member
) -> UUID | None:
    """The grant that comes with a yes, if the person gave one."""
    if given.always is None:
        return None
    if given.verdict is not Verdict.APPROVE:
        raise NotOffered
    kept = cast(dict[str, JsonValue], await seal.read(session, new.arguments_id))
    return await give(session, call, cast(dict[str, JsonValue], kept["canonical"]), given.always, by=by)


async def _decide_once(session: AsyncSession, approval: Approval, given: Answer, new: _New, *, by: Member) -> None:
    status = ApprovalStatus.APPROVED if given.verdict is Verdict.APPROVE else ApprovalStatus.REJECTED
    comment = given.comment.strip()[:LONGEST_COMMENT]
    won = await session.scalar(
        update(Approval)
        .where(Approval.tenant_id == by.tenant_id, Approval.id == approval.id)
        .where(Approval.status == ApprovalStatus.PENDING)
        .values(
            status=status,
            decided_by=by.user_id,
            decided_at=func.clock_timestamp(),
            comment_id=await seal.keep(session, comment) if comment else None,
            arguments_id=new.arguments_id,
            arguments_mark=new.mark,
            changed=new.changed,
        )
        .returning(Approval.expires_at > func.clock_timestamp())  # after any wait for a lock, not before
        .execution_options(synchronize_session=False)
    )
    if won is None:
        await _say_who(session, approval)
    if not won:
        raise TooLate  # the caller rolls back: silence was the answer


async def _say_who(session: AsyncSession, approval: Approval) -> None:
    await session.refresh(approval)
    if approval.withdrawn_why is not None:
        raise NoLongerValid(why=approval.withdrawn_why)
    if approval.decided_by is None:
        raise TooLate
    when = approval.decided_at.isoformat() if approval.decided_at else ""
    raise AlreadyDecided(who=await name_of(session, approval.decided_by), when=when, how=approval.status.value)


async def _checked(session: AsyncSession, approval: Approval, call: ToolCall, given: Answer, *, by: Member) -> _New:
    """A yes is looked at as strictly as the call itself: does it still hold, do the changes fit (G3)?"""
    kept = cast(dict[str, JsonValue], await seal.read(session, approval.arguments_id))
    canonical = cast(dict[str, JsonValue], kept["canonical"])
    wanted = dict(canonical)
    tool = await tool_named(session, call.tool)
    if given.changed is not None and tool is not None:
        free = {name: value for name, value in canonical.items() if name not in tool.bound} | dict(given.changed)
        try:
            wanted = tool.check(free, {what: canonical[name] for name, what in tool.bound.items()})
        except ArgumentsInvalid as error:
            raise ChangeInvalid(error.fields) from None
    if wanted != canonical:
        await mark_arguments(session, call, tool, wanted)
    await require_valid(session, approval, call, wanted, hold=wanted != canonical)
    if wanted == canonical:
        return _New(approval.arguments_id, approval.arguments_mark)
    stored = cast(dict[str, JsonValue], await seal.read(session, call.arguments_id))
    call.arguments_id = await seal.keep(session, {**stored, "canonical": wanted, "before": canonical})
    kept_id = await seal.keep(session, {"canonical": wanted, "before": canonical})
    return _New(kept_id, call.arguments_mark, changed=True)


async def hold_run(session: AsyncSession, run_id: UUID) -> None:
    """Lock the run before anything of it, as a worker does, so that none waits in a circle."""
    await session.execute(select(Run.id).where(Run.tenant_id == tenant_of(session), Run.id == run_id).with_for_update())


async def wake(session: AsyncSession, tenant_id: UUID, run_id: UUID) -> None:
    """Let a waiting run look again once this transaction commits.

    The row is locked whatever its status, so that a worker that is just about to wait sees what we wrote.
    """
    status = await session.scalar(
        select(Run.status).where(Run.tenant_id == tenant_id, Run.id == run_id).with_for_update()
    )
    if status is RunStatus.WAITING:
        await session.execute(
            update(Run)
            .where(Run.tenant_id == tenant_id, Run.id == run_id, Run.waiting_for != WaitingFor.BUDGET)
            .values(status=RunStatus.QUEUED, waiting_for=None, due_at=func.clock_timestamp())
        )
