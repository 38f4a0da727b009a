"""A company's keys: entered by an admin, tried, replaced, removed, and never shown again (RELIABILITY B18)."""

import httpx2
import psycopg
import pytest
from sqlalchemy import select

from app.connections.connectors import TOOL_SERVERS
from app.connections.enter import ENTER_AGAIN, MISSING, NOT_AN_ADDRESS, TOO_SHORT, EntryInvalid, enter, remove
from app.connections.models import Connection
from app.connections.queries import connections, secrets_of
from app.connections.try_out import try_out
from app.database.transaction import Database
from app.demo.mails import broken_cup
from app.errors import NotAllowed, NotFound
from app.ids import new_id
from app.runs.states import RunStatus
from tests.people import Cast, Someone
from tests.world import SHOP_KEY, World

URL, KEY = "https://shop.example.com/api", "a key that nobody may see"
FALLBACK = {"shop_url": "http://demo", "shop_key": "the key of the settings", "mail_from": "a@b.example"}


async def entered(web: Database, who: Someone, **values: str) -> None:
    async with web.tenant(who.tenant_id) as session:
        await enter(session, "shop", values, by=who.member, operation=new_id())


async def secrets(database: Database, who: Someone) -> dict[str, str]:
    async with database.tenant(who.tenant_id) as session:
        return await secrets_of(session, FALLBACK)


async def test_what_an_admin_enters_is_what_the_tools_of_this_company_get(
    web: Database, worker: Database, omar: Someone, rita: Someone
) -> None:
    await entered(web, omar, shop_url=URL, shop_key=KEY)

    assert await secrets(worker, omar) == {"shop_url": URL, "shop_key": KEY, "mail_from": "a@b.example"}
    assert await secrets(worker, rita) == FALLBACK


async def test_a_page_learns_that_a_key_is_there_and_not_which(web: Database, omar: Someone) -> None:
    await entered(web, omar, shop_url=URL, shop_key=KEY)
    async with web.tenant(omar.tenant_id) as session:
        shop, _ = await connections(session)

    address, key = shop.fields
    assert shop.entered and shop.works is None and (address.shown, key.shown) == (URL, "")
    assert KEY not in repr(shop) and key.entered_by == omar.user_id


@pytest.mark.parametrize(
    ("values", "problems"),
    [
        ({"shop_url": URL, "shop_key": "1234567"}, {"shop_key": TOO_SHORT}),
        ({"shop_url": "file:///etc/passwd", "shop_key": KEY}, {"shop_url": NOT_AN_ADDRESS}),
        ({"shop_url": URL}, {"shop_key": MISSING}),
        ({}, {"shop_url": MISSING, "shop_key": MISSING}),
    ],
)
async def test_what_cannot_be_used_is_not_kept(
    web: Database, omar: Someone, values: dict[str, str], problems: dict[str, str]
) -> None:
    with pytest.raises(EntryInvalid) as wrong:
        await entered(web, omar, **values)
    assert wrong.value.fields == problems
    assert await secrets(web, omar) == FALLBACK


async def test_a_key_that_nobody_may_see_is_not_sent_to_an_address_entered_later(web: Database, omar: Someone) -> None:
    await entered(web, omar, shop_url=URL, shop_key=KEY)
    with pytest.raises(EntryInvalid) as wrong:
        await entered(web, omar, shop_url="https://elsewhere.example.org")
    assert wrong.value.fields == {"shop_key": ENTER_AGAIN}

    await entered(web, omar, shop_key="another key")
    assert await secrets(web, omar) == {**FALLBACK, "shop_url": URL, "shop_key": "another key"}


async def test_what_is_removed_is_gone_from_the_table(web: Database, omar: Someone) -> None:
    await entered(web, omar, shop_url=URL, shop_key=KEY)
    async with web.tenant(omar.tenant_id) as session:
        await remove(session, "shop", by=omar.member)
    async with web.tenant(omar.tenant_id) as session:
        assert (await session.scalars(select(Connection))).all() == []
        await remove(session, "shop", by=omar.member)  # again: nothing to do
    assert await secrets(web, omar) == FALLBACK


async def test_only_an_admin_connects_and_disconnects(web: Database, nadia: Someone, lea: Someone) -> None:
    for person in (nadia, lea):
        async with web.tenant(person.tenant_id) as session:
            with pytest.raises(NotAllowed):
                await enter(session, "shop", {"shop_url": URL, "shop_key": KEY}, by=person.member, operation=new_id())
            with pytest.raises(NotAllowed):
                await remove(session, "shop", by=person.member)


async def test_a_service_that_does_not_exist_is_not_found(web: Database, omar: Someone) -> None:
    async with web.tenant(omar.tenant_id) as session:
        for name in ("bank", TOOL_SERVERS):
            with pytest.raises(NotFound):
                await enter(session, name, {"x": KEY}, by=omar.member, operation=new_id())


async def test_a_row_moved_elsewhere_does_not_open(web: Database, owner: Database, omar: Someone) -> None:
    from cryptography.exceptions import InvalidTag

    await entered(web, omar, shop_url=URL, shop_key=KEY)
    async with owner.tenant(omar.tenant_id) as session:
        rows = list(await session.scalars(select(Connection).order_by(Connection.name)))
        rows[1].sealed = rows[0].sealed
    with pytest.raises(InvalidTag):
        await secrets(web, omar)


async def test_a_worker_cannot_write_them(worker: Database, web: Database, omar: Someone) -> None:
    from sqlalchemy.exc import ProgrammingError

    await entered(web, omar, shop_url=URL, shop_key=KEY)
    with pytest.raises(ProgrammingError) as refused:
        async with worker.tenant(omar.tenant_id) as session:
            (await session.scalars(select(Connection))).first().works = True
            await session.flush()
    assert isinstance(refused.value.orig, psycopg.errors.InsufficientPrivilege)


async def test_it_is_tried_against_the_shop_itself(world: World, web: Database, omar: Someone) -> None:
    tried = {}
    for key in (SHOP_KEY, "not the key of the shop"):
        await entered(web, omar, shop_url=str(world.shop.base_url), shop_key=key)
        tried[key] = await try_out(web, world.house.http, "shop", by=omar.member)
    assert tried[SHOP_KEY].works and not tried["not the key of the shop"].works
    assert "does not accept" in tried["not the key of the shop"].why
    async with web.tenant(omar.tenant_id) as session:
        shop, _ = await connections(session)
    assert shop.works is False and shop.tried_at is not None


async def test_nothing_is_tried_at_a_private_address(world: World, web: Database, omar: Someone) -> None:
    await entered(web, omar, shop_url="http://169.254.169.254", shop_key=KEY)
    assert "cannot be reached" in (await try_out(web, world.house.http, "shop", by=omar.member)).why


async def test_an_employee_works_with_its_companys_own_key(world: World, web: Database, people: Cast) -> None:
    await entered(web, people.omar, shop_url=str(world.shop.base_url), shop_key="not the key of the shop")
    await world.mail(people, broken_cup())
    await world.work()
    (lookup,) = await world.calls(people.company, "lookup_order")
    (run,) = await world.runs(people.company)
    assert lookup.is_error and run.status is not RunStatus.FAILED
    answer = await world.shop.get("/products", headers={"Authorization": "Bearer nobody"})
    assert answer.status_code == httpx2.codes.UNAUTHORIZED
