"""The catalogue's employee reads by itself, changes nothing without a person, and cannot delete (the seed's case)."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.database.transaction import Database
from app.employees.hire import hire
from app.runs.states import CallStatus, RunStatus
from app.tools.catalogue import TOOLS
from tests.people import Cast
from tests.scripted import Scripted, read, use, with_model, words
from tests.world import World


@pytest.fixture
async def basile(web: Database, people: Cast) -> Cast:
    """The same company, in which Basile keeps the catalogue and Nadia manages him."""
    async with web.tenant(people.company) as session:
        hired = await hire(
            session, "catalogue", name="Basile", by=people.omar.user_id, managers=[people.nadia.user_id], language="en"
        )
    member = replace(people.nadia.member, manages=people.nadia.member.manages | {hired.id})
    return replace(people, nadia=replace(people.nadia, member=member), camille=hired.id)


@pytest.fixture
async def shop(world: World) -> AsyncIterator[Scripted]:
    yield with_model(world, "practice-model")


async def given(world: Scripted, people: Cast, text: str) -> None:
    from app.conversations.say import give_task
    from app.ids import new_id

    async with world.web.tenant(people.company) as session:
        await give_task(session, people.camille, text, by=people.nadia.member, operation=new_id())
    await world.work()


async def price(world: Scripted, sku: str = "CUP-BLUE") -> str:
    return str((await world.shop.get(f"/products/{sku}")).json()["price"])


@pytest.mark.parametrize("task", ["Set the price of CUP-BLUE to 27.00.", "Passez le prix de CUP-BLUE à 27,00 €."])
async def test_a_price_changes_once_a_person_says_yes(shop: Scripted, basile: Cast, task: str) -> None:
    await given(shop, basile, task)
    ((approval, call),) = await shop.pending(basile.company)
    assert (call.tool, await price(shop)) == ("update_price", "24.50")

    await shop.answer(basile.nadia, approval.id, "approve")
    await shop.work()
    assert await price(shop) == "27.00"
    assert (await shop.run(basile)).status is RunStatus.DONE


async def test_a_text_waits_too_because_this_employee_asks_before_it_writes(shop: Scripted, basile: Cast) -> None:
    await given(shop, basile, "Write a better text for the iron teapot.")
    ((approval, call),) = await shop.pending(basile.company)
    assert call.tool == "update_product" and call.trail[0]["rule"] == "job_sheet"
    await shop.answer(basile.nadia, approval.id, "approve")
    await shop.work()
    assert "every day" in (await shop.shop.get("/products/POT-IRON")).json()["description"]


async def test_a_price_that_somebody_changed_meanwhile_stays(shop: Scripted, basile: Cast) -> None:
    await given(shop, basile, "Set the price of CUP-BLUE to 27.00.")
    ((approval, _),) = await shop.pending(basile.company)
    body = {"price": "25.00", "was": "24.50"}
    await shop.shop.patch("/products/CUP-BLUE", json=body, headers={"Idempotency-Key": "somebody"})
    await shop.answer(basile.nadia, approval.id, "approve")
    await shop.work()

    assert await price(shop) == "25.00"
    assert (await shop.one(basile, "update_price")).status is CallStatus.FAILED


async def test_deleting_is_absent_and_named_all_the_same_does_nothing(world: World, basile: Cast) -> None:
    scripted = with_model(world, "practice-scripted")
    await scripted.give(
        basile, [use("delete_product", sku="CUP-BLUE")], [read("read_product", sku="CUP-BLUE")], [words()]
    )
    (told, _) = await scripted.results(basile)
    assert "no tool 'delete_product'" in told and "delete_product," not in told
    assert await price(scripted) == "24.50" and not await scripted.pending(basile.company)
    assert TOOLS["delete_product"].kind == "delete"


async def test_asked_to_delete_the_employee_hands_over(shop: Scripted, basile: Cast) -> None:
    await given(shop, basile, "Please delete CUP-BLUE from the catalogue.")
    assert [call.tool for call in await shop.calls(basile.company)] == ["tell_manager"]
    assert await price(shop) == "24.50"
