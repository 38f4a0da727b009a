"""Promise 12: money is set aside before each model call, so many runs at once cannot overspend it.

The judge is the practice model's own bill, at our table's prices.
"""

from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select

from app.budget.models import Budget, Usage, UsageStatus
from app.budget.prices import Tokens, cost, price_of
from app.budget.reserve import forgotten
from app.conversations.say import give_task
from app.database.engine import DatabaseRole, role_url
from app.database.transaction import Database
from app.errors import BadConfiguration
from app.ids import new_id
from app.runs.limits import CHAT
from app.runs.states import RunStatus
from tests.conftest import SECRET
from tests.people import Cast
from tests.scripted import Scripted, read, script, words

ROUNDED = Decimal("0.000001")  # each cost is kept to a millionth


def with_budget(world: Scripted, usd: str) -> Scripted:
    """Every month of a company begins with this much."""
    settings = world.house.settings.model_copy(update={"ai_budget_usd": Decimal(usd)})
    return replace(world, house=replace(world.house, settings=settings))


async def billed(world: Scripted) -> Decimal:
    """What the practice model itself says that its answers cost."""
    bill = (await world.asked_of_model())["bill"]
    used = Tokens(
        bill["input_tokens"],
        bill["output_tokens"],
        bill["cache_read_input_tokens"],
        bill["cache_creation_input_tokens"],
    )
    return cost(world.house.price, used)


async def budget(world: Scripted, people: Cast) -> Budget:
    async with world.web.tenant(people.company) as session:
        return (await session.scalars(select(Budget))).one()


async def start(world: Scripted, people: Cast, count: int) -> None:
    """So many tasks of two requests each, waiting for a worker."""
    text = script([read("search_catalogue", query="tea")], [words()])
    async with world.web.tenant(people.company) as session:
        for _ in range(count):
            await give_task(session, people.camille, text, by=people.nadia.member, operation=new_id())


async def test_fifty_runs_at_once_on_a_small_budget_never_overspend_it(scripted: Scripted, people: Cast) -> None:
    """Case 16."""
    settings = scripted.house.settings
    many = Database(role_url(settings.database_url, DatabaseRole.WORKER, settings.app_secret), SECRET, pool_size=45)
    world = replace(with_budget(scripted, "0.50"), worker=many)
    await start(world, people, 50)
    for _ in range(3):
        await world.step()
    await many.close()

    kept = await budget(world, people)
    assert 0 < await billed(world) <= kept.settled_usd + ROUNDED * 100
    assert kept.settled_usd <= Decimal("0.50")
    assert kept.reserved_usd == 0
    waiting = [run for run in await world.runs(people.company) if run.waiting_for == "budget"]
    assert len(waiting) >= 10  # reservations really were refused


async def test_what_was_only_set_aside_by_others_is_waited_for_shortly(scripted: Scripted, people: Cast) -> None:
    """A reservation given back is money again: nobody sleeps an hour beside a full purse."""
    world = with_budget(scripted, "0.10")
    await start(world, people, 2)
    await world.step()
    waiting = [run for run in await world.runs(people.company) if run.waiting_for == "budget"]
    assert waiting and all((run.due_at - run.made_at).total_seconds() < 120 for run in waiting)

    for _ in range(3):
        await world.due_now(people)
        await world.work()
    assert {run.status for run in await world.runs(people.company)} == {RunStatus.DONE}


async def test_without_money_a_run_waits_and_goes_on_by_itself_when_the_budget_is_raised(
    scripted: Scripted, people: Cast
) -> None:
    world = with_budget(scripted, "0.001")
    await world.give(people, [words()])
    run = await world.run(people)
    assert (run.status, run.waiting_for) == (RunStatus.WAITING, "budget")
    assert (await world.asked_of_model())["requests"] == 0

    await world.rewrite(await budget(world, people), limit_usd=Decimal(10))
    await world.due_now(people)
    await world.work()
    assert (await world.run(people)).status is RunStatus.DONE


async def test_a_long_run_stops_in_the_middle_when_the_money_is_gone(scripted: Scripted, people: Cast) -> None:
    world = with_budget(scripted, "0.08")
    await world.give(people, *([read("search_catalogue", query=f"tea {n}", offset=n)] for n in range(9)))
    run = await world.run(people)
    assert (run.status, run.waiting_for) == (RunStatus.WAITING, "budget")
    assert 1 <= len(await world.turns(people)) < 9
    assert (await budget(world, people)).settled_usd <= Decimal("0.08")


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ({"status": 529}, UsageStatus.RETURNED),
        ({"status": 429}, UsageStatus.RETURNED),
        ({"status": 500}, UsageStatus.AT_BOUND),
        ({"cut_after_bytes": 10}, UsageStatus.AT_BOUND),
        ({"no_usage": True}, UsageStatus.AT_BOUND),
    ],
)
async def test_an_attempt_that_came_to_nothing_is_settled_at_what_is_certain(
    scripted: Scripted, people: Cast, fault: dict[str, int], status: UsageStatus
) -> None:
    """Faults M2 and M9, RELIABILITY B6: what was perhaps served counts in full."""
    await scripted.order_fault(**fault)
    await scripted.give(people, [words()])
    async with scripted.web.tenant(people.company) as session:
        usage = next(iter(await session.scalars(select(Usage).order_by(Usage.made_at))))
    assert usage.status is status
    assert usage.cost_usd == (0 if status is UsageStatus.RETURNED else usage.reserved_usd)
    assert (await budget(scripted, people)).reserved_usd == 0


async def test_what_a_killed_worker_had_set_aside_counts_in_full_once(scripted: Scripted, people: Cast) -> None:
    """Fault P4."""
    from tests.moments import Killed, at, die

    with at("before_request", die), pytest.raises(Killed):
        await scripted.give(people, [words()])
    async with scripted.worker.tenant(people.company) as session:
        (usage,) = await session.scalars(select(Usage))
        await forgotten(session, usage.id)
        await forgotten(session, usage.id)
    kept = await budget(scripted, people)
    assert (kept.reserved_usd, kept.settled_usd) == (0, usage.reserved_usd)


async def test_a_model_without_a_price_is_refused_not_free(scripted: Scripted) -> None:
    with pytest.raises(BadConfiguration, match="not in the price table"):
        price_of(scripted.house.settings.model_copy(update={"placet_model": "somebody-elses-model"}))
    assert CHAT.usd == Decimal(5)
