"""Faults that systems of this kind really had, where no promise has them: a link that is followed decides nothing."""

import hashlib
import json
import re
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select

from app.database.base import Base
from app.database.transaction import Database
from app.web.application import PAGES
from tests.conftest import Browse
from tests.people import Cast
from tests.scripted import Scripted, refund, words

LOOKED_AT = {"sessions": {"seen_at", "last_seen_at", "used_at", "expires_at"}}  # times of access only


async def digest(owner: Database, tenant_id: UUID) -> str:
    """All that a company has, as one number."""
    told = hashlib.sha256()
    async with owner.tenant(tenant_id) as session:
        for table in Base.metadata.sorted_tables:
            if "tenant_id" not in table.c:
                continue
            columns = [column for column in table.c if column.name not in LOOKED_AT.get(table.name, set())]
            rows = await session.execute(select(*columns).where(table.c.tenant_id == tenant_id))
            told.update(json.dumps([table.name, sorted(map(repr, rows))]).encode())
    return told.hexdigest()


def addresses(ids: dict[str, UUID]) -> list[str]:
    """Every address of every page, with the ids of what there is; also those that only take a form."""
    paths = {str(getattr(route, "path", "")) for router in PAGES for route in router.routes}
    filled = [re.sub(r"{([a-z_]+)[^}]*}", lambda m: str(ids.get(m[1], ids["any"])), path) for path in paths]
    return sorted(path for path in filled if path and "live" not in path)


async def follow(browser: httpx2.AsyncClient, path: str) -> list[int]:
    """What a mail scanner does with a link."""
    query = {"verdict": "approve", "answer": "approve", "how": "do_it"}
    return [
        (await browser.get(path)).status_code,
        (await browser.head(path)).status_code,
        (await browser.get(path, params=query)).status_code,
    ]


@pytest.mark.parametrize(
    "meant", ["request", *(pytest.param(what, marks=pytest.mark.thorough) for what in ("task", "mail", "employee"))]
)
async def test_following_every_link_changes_nothing(
    scripted: Scripted, people: Cast, browse: Browse, owner: Database, meant: str
) -> None:
    """Case 13: GET and HEAD never change anything anywhere."""
    conversation = await scripted.give(people, [refund()], [words()])
    ((request, call),) = await scripted.pending(people.company)
    asked = {"request": request.id, "task": call.run_id, "mail": conversation, "employee": people.camille}[meant]
    ids = {"any": asked, "approval_id": request.id, "run_id": call.run_id, "agent_id": people.camille}
    async with browse(people.nadia) as browser:
        before = await digest(owner, people.company)
        answers = [status for path in addresses(ids) for status in await follow(browser, path)]
        assert await digest(owner, people.company) == before
    assert 200 in answers and 405 in answers and all(status < 500 for status in answers)
    assert len(await scripted.pending(people.company)) == 1
