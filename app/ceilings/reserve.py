"""What is used of the ceilings that a call counts towards? Set aside by one conditional UPDATE each, given back once.

Two transactions that each sum first and then write would both pass. Here the counter's row is raised only where the
sum stays within the limit, in the transaction that decides the call: before its request or its intent is written.
Who raises or lowers counters of an employee takes its turn first (`take_turns`), and writes the journal's line after:
several counters and the journal's chain are locked in one transaction, and without an order two of them would wait for
each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import Select, func, select, true, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.ceilings.ceiling import Ceiling, Per
from app.ceilings.models import CeilingCounter, CeilingHold
from app.ceilings.opening import opening
from app.database.transaction import tenant_of
from app.ids import new_id
from app.policy.conditions import amount
from app.policy.decision import CeilingFact

COUNTABLE = Decimal(10) ** 9  # what is more than that is no amount of ours, and would not fit the column
SMALLEST = Decimal("0.000001")
UNKNOWN = Decimal("NaN")  # never fits: what cannot be counted is not let through


@dataclass(frozen=True)
class Counted:
    """A call as ceilings see it."""

    agent_id: UUID
    call_id: UUID
    tool: str
    arguments: Mapping[str, JsonValue]  # canonical
    target_mark: str | None
    correspondent_mark: str | None
    today: date  # the company's


async def take_turns(session: AsyncSession, agent_id: UUID) -> None:
    """Be the only one who counts for this employee until the transaction ends. Before any line in the journal."""
    if "counts_for" not in session.info:
        session.info["counts_for"] = agent_id
        await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(str(agent_id), 0))))


async def weigh(
    session: AsyncSession, ceilings: Sequence[Ceiling], call: Counted, *, hold: bool
) -> tuple[CeilingFact, ...]:
    """What each ceiling of this call's tool comes to with it.

    With `hold` it is set aside: where it fits, and on soft ones in any case, since a person decides about those. What
    the call held for other arguments, or in a period that is over, is given back. Whoever refuses the call calls
    `give_back`.
    """
    own = sorted((one for one in ceilings if call.tool in one.tools), key=lambda one: one.id)
    if not own and not hold:
        return ()
    held = await _held(session, call.call_id)
    if not own and not held:
        return ()
    if not hold:
        return tuple([await _looked(session, one, call, held) for one in own])
    await take_turns(session, call.agent_id)
    places = [(one, await _counter(session, one, call)) for one in own]
    await give_back(session, call.call_id, but={place for _, place in places})
    return tuple([await _one(session, one, place, call, held.get(place)) for one, place in places])


async def give_back(session: AsyncSession, call_id: UUID, *, but: frozenset[UUID] | set[UUID] = frozenset()) -> None:
    """The call will certainly not happen: what it holds is free again. Twice is once."""
    freed = await session.execute(
        update(CeilingHold)
        .where(CeilingHold.tenant_id == tenant_of(session), CeilingHold.call_id == call_id, CeilingHold.held)
        .where(CeilingHold.counter_id.not_in(but))
        .values(held=False)
        .returning(CeilingHold.counter_id, CeilingHold.amount)
        .execution_options(synchronize_session=False)
    )
    for counter_id, freed_amount in sorted((row.counter_id, row.amount) for row in freed):
        counter = await session.get_one(CeilingCounter, (tenant_of(session), counter_id))
        await take_turns(session, counter.agent_id)
        await session.execute(
            update(CeilingCounter)
            .where(CeilingCounter.tenant_id == tenant_of(session), CeilingCounter.id == counter_id)
            .values(used=CeilingCounter.used - freed_amount)
            .execution_options(synchronize_session=False)
        )


def counted_amount(ceiling: Ceiling, arguments: Mapping[str, JsonValue]) -> Decimal:
    """What a call adds: one, or the argument as an amount, rounded up; NaN where it is no amount."""
    if ceiling.counts is None:
        return Decimal(1)
    found = amount(arguments.get(ceiling.counts))
    if found is None or not Decimal(0) <= found <= COUNTABLE:
        return UNKNOWN
    return found.quantize(SMALLEST, rounding=ROUND_CEILING)


def shown(value: Decimal) -> Decimal:
    """As people write it: 20, 12.50; the column's own zeros are left out."""
    exact = (value.quantize(places) for places in (Decimal(1), Decimal("0.01")) if value.is_finite())
    return next((one for one in exact if one == value), value)


async def _one(
    session: AsyncSession, ceiling: Ceiling, counter_id: UUID, call: Counted, held: Decimal | None
) -> CeilingFact:
    this, taken = counted_amount(ceiling, call.arguments), None
    if this.is_finite() and this != held:
        taken = await _take(session, ceiling, counter_id, call.call_id, this, this - (held or 0))
    if taken is not None:
        return _fact(ceiling, taken - this, this)
    return await _seen(session, ceiling, counter_id, call, held)


async def _looked(session: AsyncSession, ceiling: Ceiling, call: Counted, held: Mapping[UUID, Decimal]) -> CeilingFact:
    """The same without setting anything aside: a page asks."""
    counter_id = await session.scalar(_find(session, ceiling, call))
    if counter_id is not None:
        return await _seen(session, ceiling, counter_id, call, held.get(counter_id))
    before = [counted_amount(ceiling, arguments) for _, arguments in await _earlier(session, ceiling, call)]
    return _fact(
        ceiling, sum((one for one in before if one.is_finite()), Decimal(0)), counted_amount(ceiling, call.arguments)
    )


async def _seen(
    session: AsyncSession, ceiling: Ceiling, counter_id: UUID, call: Counted, held: Decimal | None
) -> CeilingFact:
    this, used = counted_amount(ceiling, call.arguments), await _used(session, counter_id) - (held or 0)
    if this == held and used + this > ceiling.limit:
        used = await _before(session, counter_id, call.call_id)
    return _fact(ceiling, used, this)


def _fact(ceiling: Ceiling, used: Decimal, this: Decimal) -> CeilingFact:
    unit = ceiling.unit or "×"
    return CeilingFact(ceiling.name, ceiling.soft, ceiling.limit, shown(used), shown(this), unit, ceiling.id)


async def _before(session: AsyncSession, counter_id: UUID, call_id: UUID) -> Decimal:
    """What came before a call that holds its part: who came later, above a soft ceiling, does not push it out.

    Whatever the order, as long as it is one: of those that fit, the last one's sum is within the limit.
    """
    mine = select(CeilingHold.id).where(
        CeilingHold.tenant_id == tenant_of(session),
        CeilingHold.counter_id == counter_id,
        CeilingHold.call_id == call_id,
    )
    before = select(func.sum(CeilingHold.amount)).where(
        CeilingHold.tenant_id == tenant_of(session), CeilingHold.counter_id == counter_id, CeilingHold.held
    )
    return await session.scalar(before.where(CeilingHold.id < mine.scalar_subquery())) or Decimal(0)


async def _take(
    session: AsyncSession, ceiling: Ceiling, counter_id: UUID, call_id: UUID, this: Decimal, more: Decimal
) -> Decimal | None:
    """The total with this call in it; None where a hard ceiling would be passed, and then nothing was taken."""
    fits = true() if ceiling.soft else CeilingCounter.used + more <= ceiling.limit
    used = await session.scalar(
        update(CeilingCounter)
        .where(CeilingCounter.tenant_id == tenant_of(session), CeilingCounter.id == counter_id, fits)
        .values(used=CeilingCounter.used + more)
        .returning(CeilingCounter.used)
        .execution_options(synchronize_session=False)
    )
    if used is not None:
        await _keep_hold(session, call_id, counter_id, this)
    return used


async def _keep_hold(session: AsyncSession, call_id: UUID, counter_id: UUID, this: Decimal) -> None:
    new = {"id": new_id(), "amount": this, "held": True}  # the id is its place in the order: a new hold is the last
    kept = insert(CeilingHold).values(tenant_id=tenant_of(session), call_id=call_id, counter_id=counter_id, **new)
    await session.execute(kept.on_conflict_do_update(index_elements=["tenant_id", "call_id", "counter_id"], set_=new))


async def _counter(session: AsyncSession, ceiling: Ceiling, call: Counted) -> UUID:
    """The counter's row; where it is new it begins with what was done before the ceiling was."""
    found: UUID | None = await session.scalar(_find(session, ceiling, call))
    if found is not None:
        return found
    made = insert(CeilingCounter).values(
        tenant_id=tenant_of(session), id=new_id(), used=Decimal(0), **_key(ceiling, call)
    )
    new: UUID = (await session.scalars(made.returning(CeilingCounter.id))).one()  # nobody else counts now
    for earlier, arguments in await _earlier(session, ceiling, call):
        if (before := counted_amount(ceiling, arguments)).is_finite():
            await _keep_hold(session, earlier, new, before)
            await session.execute(
                update(CeilingCounter)
                .where(CeilingCounter.tenant_id == tenant_of(session), CeilingCounter.id == new)
                .values(used=CeilingCounter.used + before)
                .execution_options(synchronize_session=False)
            )
    return new


def _key(ceiling: Ceiling, call: Counted) -> dict[str, UUID | str]:
    marks = {Per.TARGET: call.target_mark, Per.CORRESPONDENT: call.correspondent_mark}
    return {
        "agent_id": call.agent_id,
        "ceiling_id": ceiling.id,
        "whose_mark": marks.get(ceiling.per) or "",  # whose nobody knows is counted together
        "span": ceiling.span(call.today),
    }


def _find(session: AsyncSession, ceiling: Ceiling, call: Counted) -> Select[UUID]:
    found = select(CeilingCounter.id).where(CeilingCounter.tenant_id == tenant_of(session))
    return found.filter_by(**_key(ceiling, call))


async def _earlier(
    session: AsyncSession, ceiling: Ceiling, call: Counted
) -> list[tuple[UUID, Mapping[str, JsonValue]]]:
    whose = str(_key(ceiling, call)["whose_mark"])
    found = await opening(session, ceiling, call.agent_id, whose, call.today)
    return [(call_id, arguments) for call_id, arguments in found if call_id != call.call_id]


async def _used(session: AsyncSession, counter_id: UUID) -> Decimal:
    used = await session.scalar(
        select(CeilingCounter.used).where(
            CeilingCounter.tenant_id == tenant_of(session), CeilingCounter.id == counter_id
        )
    )
    return used if used is not None else UNKNOWN


async def _held(session: AsyncSession, call_id: UUID) -> dict[UUID, Decimal]:
    rows = await session.execute(
        select(CeilingHold.counter_id, CeilingHold.amount).where(
            CeilingHold.tenant_id == tenant_of(session), CeilingHold.call_id == call_id, CeilingHold.held
        )
    )
    return {row.counter_id: row.amount for row in rows}
