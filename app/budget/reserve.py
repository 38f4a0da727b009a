"""Is there money for this model call? Reserved before it, settled after it, each by one conditional UPDATE."""

from decimal import Decimal
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.budget.models import Budget, Usage, UsageStatus
from app.database.transaction import tenant_of
from app.identity.models import Tenant
from app.ids import new_id


async def reserve(session: AsyncSession, run_id: UUID, model: str, most: Decimal, *, limit: Decimal) -> UUID | None:
    """Set `most` USD aside in this month's budget; None if that would pass it (promise 12).

    `limit` is the budget of a month that has none yet. Gives back the id under which to settle.
    """
    budget_id = await _this_month(session, limit)
    held = await session.scalar(
        update(Budget)
        .where(Budget.tenant_id == tenant_of(session), Budget.id == budget_id)
        .where(Budget.settled_usd + Budget.reserved_usd + most <= Budget.limit_usd)
        .values(reserved_usd=Budget.reserved_usd + most)
        .returning(Budget.id)
    )
    if held is None:
        return None
    usage = Usage(
        tenant_id=tenant_of(session), id=new_id(), run_id=run_id, budget_id=budget_id, model=model, reserved_usd=most
    )
    session.add(usage)
    await session.flush()  # the id is used before the transaction ends
    return usage.id


async def frees_up(session: AsyncSession, most: Decimal, *, limit: Decimal) -> bool:
    """Whether `most` would fit if what others have set aside cost nothing: then it is worth a look soon."""
    budget_id = await _this_month(session, limit)
    room = select(Budget.settled_usd + most <= Budget.limit_usd)
    return bool(await session.scalar(room.where(Budget.tenant_id == tenant_of(session), Budget.id == budget_id)))


async def settle(session: AsyncSession, usage_id: UUID, cost_usd: Decimal | None) -> Decimal:
    """Book what it cost; None means that nobody knows: then it is what it could cost at most. Gives back the cost."""
    status = UsageStatus.AT_BOUND if cost_usd is None else UsageStatus.SETTLED
    return await _close(session, usage_id, cost_usd, status)


async def give_back(session: AsyncSession, usage_id: UUID) -> None:
    """The call was certainly not served: nothing is owed."""
    await _close(session, usage_id, Decimal(0), UsageStatus.RETURNED)


async def _close(session: AsyncSession, usage_id: UUID, cost_usd: Decimal | None, status: UsageStatus) -> Decimal:
    closed = (
        await session.execute(
            update(Usage)
            .where(Usage.tenant_id == tenant_of(session), Usage.id == usage_id, Usage.status == UsageStatus.RESERVED)
            .values(status=status, cost_usd=func.coalesce(cost_usd, Usage.reserved_usd))
            .returning(Usage.budget_id, Usage.reserved_usd, Usage.cost_usd)
        )
    ).first()
    if closed is None:  # settled before, by the sweep of forgotten ones
        return cost_usd or Decimal(0)
    await session.execute(
        update(Budget)
        .where(Budget.tenant_id == tenant_of(session), Budget.id == closed.budget_id)
        .values(
            reserved_usd=Budget.reserved_usd - closed.reserved_usd, settled_usd=Budget.settled_usd + closed.cost_usd
        )
    )
    return Decimal(closed.cost_usd)


async def _this_month(session: AsyncSession, limit: Decimal) -> UUID:
    """The row of this month in the company's own time zone, made when first needed."""
    tenant_id = tenant_of(session)
    zone, now = (
        await session.execute(select(Tenant.time_zone, func.clock_timestamp()).where(Tenant.id == tenant_id))
    ).one()
    month = now.astimezone(ZoneInfo(zone)).strftime("%Y-%m")
    find = select(Budget.id).where(Budget.tenant_id == tenant_id, Budget.month == month)
    if (found := await session.scalar(find)) is None:
        made = insert(Budget).values(tenant_id=tenant_id, id=new_id(), month=month, limit_usd=limit)
        await session.execute(made.on_conflict_do_nothing())
        found = await session.scalar(find)
    assert found is not None  # ours or another worker's
    return found


async def forgotten(session: AsyncSession, usage_id: UUID) -> None:
    """A reservation whose model call never came back (a worker was killed): settled at its bound (fault P4)."""
    await settle(session, usage_id, None)
