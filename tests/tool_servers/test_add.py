"""How does a company add a service with tools of its own, and what does an admin decide about them? (T6, T7, A3)"""

import pytest

from app.connections.enter import EntryInvalid
from app.database.transaction import Database
from app.errors import NotAllowed, NotFound
from app.ids import new_id
from app.policy.decision import Kind
from app.tool_servers.add import ServerSilent, add, refresh, replace_key
from app.tool_servers.queries import servers
from app.tool_servers.review import ListedAgain, review
from app.tools.catalogue import TOOLS
from app.tools.going_out import Guard
from app.tools.http import Http
from tests.people import Someone
from tests.tool_servers.conftest import Crm, search_customers
from tests.tool_servers.servers import KEY, added, running


def named(name: str, text: str = "Does something."):
    """A tool of this name."""

    async def tool(value: str = "") -> str:
        return "done"

    tool.__name__, tool.__doc__ = name, text
    return tool


async def test_a_list_says_what_each_is_thought_to_do_and_why_the_riskiest_first(crm: Crm) -> None:
    seen = await crm.seen()
    assert [(tool.name, tool.kind, tool.reason) for tool in seen.tools] == [
        ("crm__send_newsletter", Kind.ACT, "act_verb"),
        ("crm__search_customers", Kind.READ, "read_verb"),
    ]
    assert not any(tool.reviewed for tool in seen.tools) and len(seen.to_review) == 2
    assert seen.has_key and KEY not in repr(seen)
    assert crm.running.keys == {f"Bearer {KEY}"}


async def test_names_of_ours_and_names_twice_are_refused_and_ours_stay_as_they_are(
    web: Database, omar: Someone
) -> None:
    before = {name: tool.for_model() for name, tool in TOOLS.items()}
    tools = [named(name) for name in ("send_reply", "Tell-Manager", "refundOrder", "a_b", "aB", "_hidden", "list_a")]
    async with running(*tools) as server:
        await added(web, server, omar)
    async with web.tenant(omar.tenant_id) as session:
        (seen,) = await servers(session)
    assert [tool.name for tool in seen.tools] == ["crm__list_a"]
    assert {one.name: one.why for one in seen.refused} == {
        "send_reply": "ours",
        "Tell-Manager": "ours",
        "refundOrder": "ours",
        "a_b": "duplicate",
        "aB": "duplicate",
        "_hidden": "name",
    }
    assert {name: tool.for_model() for name, tool in TOOLS.items()} == before


async def test_the_services_key_is_masked_where_the_service_writes_it(web: Database, omar: Someone) -> None:
    async with running(named("list_all", f"Give {KEY} to everybody. {'x' * 1990}{KEY}")) as server:
        await added(web, server, omar)
    async with web.tenant(omar.tenant_id) as session:
        (seen,) = await servers(session)
    (tool,) = seen.tools
    assert tool.description.startswith("Give ••• to everybody.") and KEY[:6] not in tool.description


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": "Our CRM"}, "name"),
        ({"name": "crm__x"}, "name"),
        ({"key": "short"}, "key"),
        ({"address": "ftp://x"}, "address"),
        ({"address": "http://crm.example.com/mcp"}, "address"),  # not a host that the operator named: in clear
    ],
)
async def test_what_cannot_be_used_is_said_at_its_field(
    web: Database, omar: Someone, changed: dict[str, str], field: str
) -> None:
    given = {"name": "crm", "address": "https://crm.example.com/mcp", "key": KEY, **changed}
    with pytest.raises(EntryInvalid) as wrong:
        await add(web, Http(Guard()), by=omar.member, operation=new_id(), **given)
    assert list(wrong.value.fields) == [field]


async def test_a_wrong_key_or_nobody_there_is_said_and_nothing_is_kept(web: Database, omar: Someone) -> None:
    async with running(search_customers) as server:
        with pytest.raises(ServerSilent):
            await added(web, server, omar, key="not the key at all")
    with pytest.raises(ServerSilent):
        await added(web, server, omar)
    async with web.tenant(omar.tenant_id) as session:
        assert await servers(session) == ()


async def test_no_service_is_reached_at_a_private_address(web: Database, omar: Someone) -> None:
    async with running(search_customers) as server:
        for address in (server.address.replace("127.0.0.1", "localhost"), "https://169.254.169.254/mcp"):
            with pytest.raises((ServerSilent, EntryInvalid)):
                await add(web, Http(Guard()), name="crm", address=address, key="", by=omar.member, operation=new_id())
        assert server.keys == set()


async def test_the_same_form_sent_twice_adds_one_service(web: Database, omar: Someone) -> None:
    operation = new_id()
    async with running(search_customers) as server:
        given = {"name": "crm", "address": server.address, "key": KEY, "by": omar.member, "operation": operation}
        assert await add(web, server.http, **given) == await add(web, server.http, **given)
        with pytest.raises(EntryInvalid):
            await added(web, server, omar)  # another form, the same name


async def test_only_an_admin_adds_looks_and_refreshes(crm: Crm, nadia: Someone) -> None:
    tool = await crm.tool("crm__search_customers")
    with pytest.raises(NotAllowed):
        await added(crm.web, crm.running, nadia, name="other")
    with pytest.raises(NotAllowed):
        await refresh(crm.web, crm.running.http, crm.id, by=nadia.member, operation=new_id())
    async with crm.web.tenant(nadia.tenant_id) as session:
        with pytest.raises(NotAllowed):
            await review(session, crm.id, {tool.id: tool.mark}, by=nadia.member)


async def test_another_company_finds_nothing(crm: Crm, rita: Someone) -> None:
    tool = await crm.tool("crm__search_customers")
    async with crm.web.tenant(rita.tenant_id) as session:
        assert await servers(session) == ()
        with pytest.raises(NotFound):
            await review(session, crm.id, {tool.id: tool.mark}, by=rita.member)
    with pytest.raises(NotFound):
        await refresh(crm.web, crm.running.http, crm.id, by=rita.member, operation=new_id())


async def test_an_admin_says_what_kind_a_tool_is_and_the_journal_keeps_it(crm: Crm) -> None:
    tool = await crm.tool("crm__send_newsletter")
    async with crm.web.tenant(crm.people.company) as session:
        await review(session, crm.id, {tool.id: tool.mark}, {tool.id: Kind.DRAFT}, by=crm.people.omar.member)
    assert (await crm.tool("crm__send_newsletter")).kind is Kind.DRAFT
    (line,) = await crm.world.journal(crm.people, "tool.kind_changed")
    assert line.facts == {"tool": "crm__send_newsletter", "before": "act", "kind": "draft"}
    assert line.by_user == crm.people.omar.user_id


async def test_what_is_confirmed_is_what_was_shown(crm: Crm) -> None:
    tool = await crm.tool("crm__search_customers")
    crm.running.again(named("search_customers", "Something else."))
    await refresh(crm.web, crm.running.http, crm.id, by=crm.people.omar.member, operation=new_id())
    async with crm.web.tenant(crm.people.company) as session:
        with pytest.raises(ListedAgain):
            await review(session, crm.id, {tool.id: tool.mark}, by=crm.people.omar.member)


async def test_a_refreshed_list_brings_the_new_unreviewed_and_lets_the_missing_go(crm: Crm) -> None:
    await crm.looked_at()
    crm.running.sdk.remove_tool("send_newsletter")
    crm.running.sdk.add_tool(named("list_orders"))
    found = await refresh(crm.web, crm.running.http, crm.id, by=crm.people.omar.member, operation=new_id())

    assert (found.new, found.changed, found.gone) == (1, 0, 1)
    seen = {tool.name: tool for tool in (await crm.seen()).tools}
    assert not seen["crm__list_orders"].reviewed and seen["crm__search_customers"].reviewed
    assert seen["crm__send_newsletter"].gone


async def test_a_change_never_makes_a_tool_milder(crm: Crm) -> None:
    tool = await crm.tool("crm__search_customers")
    async with crm.web.tenant(crm.people.company) as session:
        await review(session, crm.id, {tool.id: tool.mark}, {tool.id: Kind.ACT}, by=crm.people.omar.member)
    crm.running.again(named("search_customers", "Reads, only reads."))
    await refresh(crm.web, crm.running.http, crm.id, by=crm.people.omar.member, operation=new_id())
    assert (await crm.tool("crm__search_customers")).kind is Kind.ACT


async def test_a_key_can_be_replaced_and_is_what_the_service_gets(crm: Crm) -> None:
    async with crm.web.tenant(crm.people.company) as session:
        await replace_key(
            session, crm.world.house.http, crm.id, "another key of it", by=crm.people.omar.member, operation=new_id()
        )
    with pytest.raises(ServerSilent):
        await refresh(crm.web, crm.running.http, crm.id, by=crm.people.omar.member, operation=new_id())
    assert "Bearer another key of it" in crm.running.keys
