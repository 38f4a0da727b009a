"""Open pages hear of changes that are theirs, and of nothing else."""

import asyncio

import pytest
from sqlalchemy import func, update

from app.identity.models import Membership
from app.web.live import MOST_OF_ONE_PERSON


async def topics(lines) -> set[str]:
    """The topics of the next event."""
    async with asyncio.timeout(10):
        async for line in lines:
            if line.startswith("data: "):
                return set(line.removeprefix("data: ").split())
    raise AssertionError("the stream ended")


@pytest.fixture
async def began():
    """The stream has taken its first look, with which later ones are compared."""
    return lambda: asyncio.sleep(1)


async def test_a_new_request_is_heard_at_once_by_who_decides(browse, camille, nadia, began):
    async with browse(nadia) as browser, browser.stream("GET", "/live") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.aiter_lines()
        await began()
        pending = await camille.asks()
        heard = await topics(lines)
    assert {"inbox", f"request:{pending.id}", f"task:{pending.run_id}"} <= heard


async def test_neither_a_member_nor_another_company_hears_of_it(browse, camille, lea, rita, began):
    async with (
        browse(lea) as hers,
        browse(rita) as foreign,
        hers.stream("GET", "/live") as one,
        foreign.stream("GET", "/live") as other,
    ):
        await began()
        await camille.asks()
        for lines in (one.aiter_lines(), other.aiter_lines()):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1):
                    while not (line := await anext(lines)).startswith("data:"):
                        continue
                    raise AssertionError(line)


async def test_the_stream_of_a_removed_person_ends_within_five_seconds(browse, owner, nadia):
    async with browse(nadia) as browser, browser.stream("GET", "/live") as stream:
        async with owner.tenant(nadia.tenant_id) as session:
            await session.execute(
                update(Membership).where(Membership.user_id == nadia.user_id).values(ended_at=func.clock_timestamp())
            )
        async with asyncio.timeout(6):
            async for _ in stream.aiter_lines():
                pass


async def test_one_person_cannot_hold_any_number_of_streams(browse, omar):
    async with browse(omar) as browser:
        opened = [browser.stream("GET", "/live") for _ in range(MOST_OF_ONE_PERSON)]
        for stream in opened:
            assert (await stream.__aenter__()).status_code == 200
        assert (await browser.get("/live")).status_code == 429
        for stream in opened:
            await stream.__aexit__(None, None, None)


async def test_a_stranger_gets_no_stream(browse):
    async with browse(None) as browser:
        assert (await browser.get("/live")).status_code == 303
