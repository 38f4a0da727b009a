"""Counters raised by many at once never pass the limit, move with the day, and count nothing that is no amount."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest
from sqlalchemy import select

from app.ceilings.ceiling import Ceiling
from app.ceilings.models import CeilingCounter
from app.ceilings.reserve import Counted, give_back, take_turns, weigh
from app.ceilings.uses import use, used_today
from app.database.transaction import Database
from tests.factories import House
from tests.people import Cast
from tests.scripted import Scripted
from tests.sheets import refunds_a_month

TODAY = date(2026, 12, 3)
LIMITED = replace(refunds_a_month("25"), id="c1")


@pytest.fixture
async def calls(scripted: Scripted, people: Cast) -> list[Counted]:
    """Eight refunds of ten that ask."""
    house = House(scripted.worker, scripted.house.settings, people.company, people.camille)
    made = [await house.asks("refund_order") for _ in range(8)]
    return [counted(people, one.call_id, "10") for one in made]


def counted(people: Cast, call_id: UUID, amount: str, today: date = TODAY) -> Counted:
    return Counted(people.camille, call_id, "refund_order", {"amount": amount}, "order", None, today)


Hold = Callable[..., Awaitable[bool]]


@pytest.fixture
def hold(worker: Database, people: Cast) -> Hold:
    """Whether a call fits, in a transaction of its own."""

    async def one(call: Counted, ceiling: Ceiling = LIMITED) -> bool:
        async with worker.tenant(people.company) as session:
            (fact,) = await weigh(session, (ceiling,), call, hold=True)
            return fact.over <= 0

    return one


async def test_of_eight_at_once_two_fit(worker: Database, people: Cast, hold: Hold, calls: list[Counted]) -> None:
    await hold(replace(calls[0], arguments={"amount": "0"}))
    assert sum(await asyncio.gather(*(hold(call) for call in calls))) == 2
    async with worker.tenant(people.company) as session:
        assert await session.scalar(select(CeilingCounter.used).where(CeilingCounter.ceiling_id == "c1")) == 20


async def test_the_same_call_weighed_twice_counts_once_and_given_back_twice_is_free_once(
    worker: Database, people: Cast, hold: Hold, calls: list[Counted]
) -> None:
    for _ in range(3):
        assert await hold(calls[0])
    assert await hold(calls[1]) and not await hold(calls[2])
    for _ in range(2):
        async with worker.tenant(people.company) as session:
            await give_back(session, calls[0].call_id)
    assert await hold(calls[2]) and not await hold(calls[3])


async def test_what_waits_moves_into_the_month_in_which_it_happens(hold: Hold, calls: list[Counted]) -> None:
    november = replace(calls[0], today=date(2026, 11, 30))
    assert await hold(november)
    for call in calls[:3]:
        await hold(call)
    assert not await hold(calls[3])
    assert await hold(replace(calls[4], today=date(2026, 11, 30)), replace(LIMITED, limit=Decimal(10)))


async def test_looking_sets_nothing_aside(worker: Database, people: Cast, calls: list[Counted]) -> None:
    async with worker.tenant(people.company) as session:
        await take_turns(session, people.camille)
        for call in calls:
            (fact,) = await weigh(session, (LIMITED,), call, hold=False)
            assert (fact.used, fact.this, fact.name) == (0, 10, "25 EUR")


async def test_of_ten_uses_at_once_three_are_counted(worker: Database, people: Cast) -> None:
    async def one() -> bool:
        async with worker.tenant(people.company) as session:
            return await use(session, people.camille, "e1", TODAY, most=3)

    assert sum(await asyncio.gather(*(one() for _ in range(10)))) == 3
    async with worker.tenant(people.company) as session:
        assert await used_today(session, people.camille, TODAY) == {"e1": 3}
        assert await use(session, people.camille, "e1", date(2026, 12, 4), most=3)
