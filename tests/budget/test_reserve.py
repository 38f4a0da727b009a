"""Money is set aside by one conditional UPDATE: together never more than the limit, given back once, by the month."""

import asyncio
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from app.budget.models import Budget
from app.budget.prices import PRICES, Price, Tokens, bound, cost
from app.budget.reserve import frees_up, give_back, reserve, settle
from app.conversations.say import give_task
from app.database.transaction import Database
from app.ids import new_id
from app.runs.models import Run
from tests.people import Cast

LIMIT = Decimal("1.00")


@pytest.fixture
async def run_id(web: Database, people: Cast) -> UUID:
    """A task that costs something."""
    async with web.tenant(people.company) as session:
        await give_task(session, people.camille, "Hello", by=people.nadia.member, operation=new_id())
        run = (await session.scalars(select(Run).where(Run.tenant_id == people.company))).one()
    return run.id


async def books(web: Database, people: Cast) -> Budget:
    async with web.tenant(people.company) as session:
        return (await session.scalars(select(Budget).where(Budget.tenant_id == people.company))).one()


async def test_many_at_once_set_aside_no_more_than_there_is(
    web: Database, worker: Database, people: Cast, run_id: UUID
) -> None:

    async def take() -> UUID | None:
        async with worker.tenant(people.company) as session:
            return await reserve(session, run_id, "practice-model", Decimal("0.30"), limit=LIMIT)

    got = [usage for usage in await asyncio.gather(*(take() for _ in range(8))) if usage is not None]
    assert len(got) == 3
    assert (await books(web, people)).reserved_usd == Decimal("0.90")


async def test_what_was_set_aside_is_closed_once_however_often_it_is_tried(
    web: Database, worker: Database, people: Cast, run_id: UUID
) -> None:
    async with worker.tenant(people.company) as session:
        usage = await reserve(session, run_id, "practice-model", Decimal("0.30"), limit=LIMIT)
    assert usage is not None

    async def close(number: int) -> None:
        async with worker.tenant(people.company) as session:
            await (give_back(session, usage) if number % 2 else settle(session, usage, Decimal("0.30")))

    await asyncio.gather(*(close(number) for number in range(6)))
    kept = await books(web, people)
    assert kept.reserved_usd == 0 and kept.settled_usd in (Decimal(0), Decimal("0.30"))


async def test_what_others_set_aside_may_come_back_but_what_is_spent_does_not(
    web: Database, worker: Database, people: Cast, run_id: UUID
) -> None:
    async with worker.tenant(people.company) as session:
        usage = await reserve(session, run_id, "practice-model", Decimal("0.90"), limit=LIMIT)
        assert await reserve(session, run_id, "practice-model", Decimal("0.20"), limit=LIMIT) is None
        assert await frees_up(session, Decimal("0.20"), limit=LIMIT)
        assert usage is not None
        await settle(session, usage, None)
        assert not await frees_up(session, Decimal("0.20"), limit=LIMIT)


TOKENS = st.integers(0, 200_000)


@given(st.sampled_from(list(PRICES.values())), TOKENS, TOKENS, TOKENS, st.integers(0, 16_384))
def test_what_is_set_aside_covers_whatever_the_cache_does(
    price: Price, fresh: int, read: int, written: int, output: int
) -> None:
    used = Tokens(fresh, output, cache_read=read, cache_write=written)
    assert cost(price, used) <= bound(price, fresh + read + written, output)
