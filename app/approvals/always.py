"""May a person say "always in this conversation" here, how wide, and what is kept of it?

Only what would help is offered, the narrow one first. A grant is for calls to come: what waits already keeps waiting
for its own answer (case 14 of `cases`: one "always" let queued calls through that nobody had looked at).
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from app.approvals.models import Approval, Grant
from app.content import seal
from app.errors import NotFound, PlacetError
from app.identity.roles import Member
from app.ids import new_id
from app.policy.offers import GrantOffer, grants_offered
from app.runs.decided import facts_now
from app.runs.models import Run, ToolCall
from app.runs.situation import look

HOLDS_FOR = timedelta(hours=24)


class Width(StrEnum):
    """How much one "always" covers."""

    NARROW = "narrow"  # the same target
    WIDE = "wide"  # whatever it is aimed at


class NotOffered(PlacetError):
    """This cannot be allowed for the whole conversation. You can still approve this one."""

    status = 422


async def offered(session: AsyncSession, approval_id: UUID, *, by: Member) -> tuple[GrantOffer, ...]:
    """The "always" that could be given with a yes to this request, narrow first; none where it could not help.

    Raises NotFound.
    """
    approval = await session.get(Approval, (by.tenant_id, approval_id))
    if approval is None:
        raise NotFound
    if not by.decides_for(approval.agent_id):
        return ()
    call = await session.get_one(ToolCall, (by.tenant_id, approval.call_id))
    kept = cast(Mapping[str, JsonValue], await seal.read(session, approval.arguments_id))
    return await _offers(session, call, cast(Mapping[str, JsonValue], kept["canonical"]))


async def give(
    session: AsyncSession, call: ToolCall, arguments: Mapping[str, JsonValue], width: Width, *, by: Member
) -> UUID:
    """Keep a grant for calls like this one; whoever calls has checked that the person decides. Raises NotOffered."""
    offers = {offer.width: offer for offer in await _offers(session, call, arguments)}
    if width.value not in offers:
        raise NotOffered
    run = await session.get_one(Run, (by.tenant_id, call.run_id))
    scope = cast(JsonValue, dict(offers[width.value].scope))
    grant = Grant(
        tenant_id=by.tenant_id,
        id=new_id(),
        conversation_id=run.conversation_id,
        tool=call.tool,
        scope_id=await seal.keep(session, scope) if width is Width.NARROW else None,
        facts={"width": width.value, "call": str(call.id)},
        given_by=by.user_id,
        expires_at=func.clock_timestamp() + HOLDS_FOR,
    )
    session.add(grant)
    await session.flush()  # the journal names it
    return grant.id


async def _offers(session: AsyncSession, call: ToolCall, arguments: Mapping[str, JsonValue]) -> tuple[GrantOffer, ...]:
    situation = await look(session, await session.get_one(Run, (call.tenant_id, call.run_id)))
    tool = situation.tools.get(call.tool)
    if tool is None:
        return ()
    facts = await facts_now(session, situation, call, tool, arguments, cited=None, hold=False)
    return grants_offered(facts)
