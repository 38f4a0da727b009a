"""Which calls did an employee make lately, with what each decision rested on? Read back for a dry run."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Grant
from app.content import seal
from app.conversations.models import Conversation
from app.database.transaction import tenant_of
from app.policy.decision import Decision, GrantView, Mode
from app.runs.models import Origin, Run, ToolCall, Turn
from app.runs.states import CallStatus

DAYS = 30
MOST = 2000  # the newest; a dry run says so where there were more
COUNTING = frozenset({CallStatus.ASKING, CallStatus.RUNNING, CallStatus.DONE, CallStatus.UNCERTAIN})


@dataclass(frozen=True)
class PastCall:
    """One call as it was decided. `decision` is None where no rule was asked: invalid, unknown, stopped by a guard."""

    id: UUID
    run_id: UUID
    tool: str
    at: datetime
    decision: Decision | None
    refused: bool  # by the rules: the call got a refusing result
    counts: bool  # towards ceilings: asked, done, or nobody knows
    arguments: Mapping[str, JsonValue] | None  # None: erased
    cited: str
    target_mark: str | None
    customer_mark: str | None
    outside_read: bool
    visitor: bool
    person_refused: bool
    grants: tuple[GrantView, ...]

    @property
    def mode(self) -> Mode:
        """What happened to it; a refusal is as strict as never."""
        return Mode.NEVER if self.refused or self.decision is None else self.decision.mode


async def past_calls(session: AsyncSession, agent_id: UUID) -> list[PastCall]:
    """The calls of the last 30 days, the oldest first, at most MOST + 1 of them (the newest)."""
    rows = await session.execute(
        select(ToolCall, Turn.made_at, Run.origin, Run.bound_id, Conversation.id, Conversation.outside_at)
        .join(Turn, (Turn.tenant_id == ToolCall.tenant_id) & (Turn.id == ToolCall.turn_id))
        .join(Run, (Run.tenant_id == ToolCall.tenant_id) & (Run.id == ToolCall.run_id))
        .join(Conversation, (Conversation.tenant_id == Run.tenant_id) & (Conversation.id == Run.conversation_id))
        .where(ToolCall.tenant_id == tenant_of(session), Run.agent_id == agent_id)
        .where(ToolCall.made_at >= func.clock_timestamp() - timedelta(days=DAYS))
        .order_by(ToolCall.made_at.desc(), ToolCall.position.desc())
        .limit(MOST + 1)
    )
    found = rows.all()[::-1]
    kept = await seal.read_many(session, [row[0].arguments_id for row in found] + [row[3] for row in found])
    grants = await _grants(session, {row[4] for row in found})
    said_no: set[UUID] = set()
    calls = []
    for call, asked_at, origin, bound_id, conversation_id, outside_at in found:
        calls.append(
            PastCall(
                id=call.id,
                run_id=call.run_id,
                tool=call.tool,
                at=call.made_at,
                decision=_decision(call),
                refused=(call.refused_by or "").startswith("policy:"),
                counts=call.status in COUNTING,
                arguments=_part(kept.get(call.arguments_id), "canonical"),
                cited=str(_object(kept.get(call.arguments_id)).get("exception", "")),
                target_mark=call.target_mark,
                customer_mark=await _customer(session, kept.get(bound_id) if bound_id else None),
                outside_read=outside_at is not None and outside_at <= asked_at,
                visitor=origin is Origin.VISITOR,
                person_refused=call.run_id in said_no,
                grants=tuple(view for grant, view in grants.get(conversation_id, ()) if _held(grant, call.made_at)),
            )
        )
        if call.refused_by == "person":
            said_no.add(call.run_id)
    return calls


async def _grants(session: AsyncSession, conversations: set[UUID]) -> dict[UUID, list[tuple[Grant, GrantView]]]:
    rows = list(
        await session.scalars(
            select(Grant).where(Grant.tenant_id == tenant_of(session), Grant.conversation_id.in_(conversations))
        )
    )
    scopes = await seal.read_many(session, [grant.scope_id for grant in rows])
    found: dict[UUID, list[tuple[Grant, GrantView]]] = {}
    for grant in rows:
        scope = {} if grant.scope_id is None else scopes.get(grant.scope_id)
        if isinstance(scope, dict):
            view = GrantView(str(grant.id), grant.tool, scope)
            found.setdefault(grant.conversation_id, []).append((grant, view))
    return found


def _held(grant: Grant, at: datetime) -> bool:
    ends = grant.expires_at if grant.ended_at is None else min(grant.ended_at, grant.expires_at)
    return grant.given_at <= at < ends


def _decision(call: ToolCall) -> Decision | None:
    if call.mode is None or not call.trail:
        return None
    return Decision.from_json({"mode": call.mode.value, "trail": call.trail})


async def _customer(session: AsyncSession, about: JsonValue) -> str | None:
    customer = _object(about).get("correspondent")
    return await seal.mark(session, customer) if customer else None


def _part(kept: JsonValue, name: str) -> Mapping[str, JsonValue] | None:
    part = _object(kept).get(name)
    return part if isinstance(part, dict) else None


def _object(kept: JsonValue) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], kept) if isinstance(kept, dict) else {}
