"""A company with a service that others wrote, and an employee that may use it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest

from app.database.transaction import Database
from app.tool_servers.queries import ListedTool, Server, servers
from app.tool_servers.review import review
from app.tools.way_out import way_out
from tests.people import Cast
from tests.scripted import Scripted, with_model
from tests.tool_servers.servers import Running, added, gets, running
from tests.world import World


@dataclass
class Crm:
    """The service, as it runs and as the company sees it."""

    running: Running
    web: Database
    owner: Database
    people: Cast
    world: Scripted
    id: UUID

    async def seen(self) -> Server:
        """The service on the settings page."""
        async with self.web.tenant(self.people.company) as session:
            return next(server for server in await servers(session) if server.id == self.id)

    async def tool(self, name: str) -> ListedTool:
        """One of its tools there."""
        return next(tool for tool in (await self.seen()).tools if tool.name == name)

    async def looked_at(self) -> None:
        """An admin confirms everything with one click."""
        tools = (await self.seen()).to_review
        async with self.web.tenant(self.people.company) as session:
            await review(session, self.id, {tool.id: tool.mark for tool in tools}, by=self.people.omar.member)

    async def gets(self, *tools: str, **sheet: Any) -> None:
        """Camille may use these."""
        await gets(self.owner, self.people, *tools, **sheet)


CALLS: list[str] = []


async def search_customers(query: str) -> str:
    """Searches the customers by name."""
    CALLS.append(f"search {query}")
    return f"found nobody called {query}"


async def send_newsletter(to: str, text: str) -> str:
    """Sends the newsletter."""
    CALLS.append(f"newsletter {to}")
    return "sent"


@pytest.fixture
async def crm(web: Database, owner: Database, world: World, people: Cast) -> AsyncIterator[Crm]:
    """A service with a read and an act, added and not looked at."""
    CALLS.clear()
    async with running(search_customers, send_newsletter) as server:
        scripted = with_model(world, "practice-scripted")
        allowed = scripted.house.settings.model_copy(update={"placet_allowed_hosts": f"127.0.0.1:{server.port}"})
        scripted.house = replace(scripted.house, settings=allowed, http=way_out(allowed))
        yield Crm(server, web, owner, people, scripted, await added(web, server, people.omar))
