"""Content is sealed: for its company and its row only, without a trace in the clear, and its hashes tell nothing."""

import hashlib
import json

import pytest
from cryptography.exceptions import InvalidTag
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from sqlalchemy import select, update

from app.content import seal
from app.content.models import Content, DataKey
from app.database.transaction import Database
from tests.people import Cast

WORDS = "Emma’s blue cup arrived broken"


async def test_what_was_kept_is_read_back_and_stands_nowhere_in_the_clear(web: Database, people: Cast) -> None:
    async with web.tenant(people.company) as session:
        content = await seal.keep(session, {"text": WORDS})
        assert await seal.read(session, content) == {"text": WORDS}
        sealed = await session.scalar(select(Content.sealed).where(Content.id == content))
    assert sealed is not None and WORDS.encode() not in sealed and b"text" not in sealed


async def test_the_same_words_are_sealed_differently_each_time(web: Database, people: Cast) -> None:
    async with web.tenant(people.company) as session:
        for _ in range(3):
            await seal.keep(session, WORDS)
        rows = list(await session.scalars(select(Content.sealed).where(Content.tenant_id == people.company)))
    assert len({row for row in rows}) == len(rows)


async def test_a_row_moved_to_another_id_does_not_open(owner: Database, people: Cast) -> None:
    async with owner.tenant(people.company) as session:
        one, other = await seal.keep(session, "one"), await seal.keep(session, "other")
        stolen = await session.scalar(select(Content.sealed).where(Content.id == one))
        await session.execute(update(Content).where(Content.id == other).values(sealed=stolen))
        with pytest.raises(InvalidTag):
            await seal.read(session, other)


async def test_a_changed_byte_does_not_open(owner: Database, people: Cast) -> None:
    async with owner.tenant(people.company) as session:
        content = await seal.keep(session, WORDS)
        sealed = await session.scalar(select(Content.sealed).where(Content.id == content)) or b""
        for place in (0, 12, len(sealed) - 1):
            changed = bytearray(sealed)
            changed[place] ^= 1
            await session.execute(update(Content).where(Content.id == content).values(sealed=bytes(changed)))
            with pytest.raises(InvalidTag):
                await seal.read(session, content)


async def test_another_company_finds_nothing_and_its_key_opens_nothing(owner: Database, people: Cast) -> None:
    async with owner.tenant(people.company) as session:
        content = await seal.keep(session, WORDS)
        sealed = await session.scalar(select(Content.sealed).where(Content.id == content))
    async with owner.tenant(people.ritas_company) as session:
        assert await seal.read_many(session, [content]) == {}
        with pytest.raises(KeyError):
            await seal.read(session, content)
        own = await seal.keep(session, "…")
        await session.execute(update(Content).where(Content.id == own).values(sealed=sealed))
        with pytest.raises(InvalidTag):
            await seal.read(session, own)


async def test_under_another_secret_nothing_opens(web: Database, people: Cast) -> None:
    async with web.tenant(people.company) as session:
        content = await seal.keep(session, WORDS)
    other = Database(web.engine.url, "another secret of the tests, as long as the first", pool_size=1)
    async with other.tenant(people.company) as session:
        with pytest.raises(InvalidTag):
            await seal.read(session, content)
    await other.close()


async def test_marks_are_equal_for_equal_values_of_one_company_only(web: Database, people: Cast) -> None:
    """RELIABILITY B20: a hash of content is content."""
    value: JsonValue = {"order": "MC-1042", "amount": "10.00"}
    async with web.tenant(people.company) as session:
        mark = await seal.mark(session, value)
        assert mark == await seal.mark(session, {"amount": "10.00", "order": "MC-1042"})
        assert mark != await seal.mark(session, {"order": "MC-1042", "amount": "10.0"})
    async with web.tenant(people.ritas_company) as session:
        assert mark != await seal.mark(session, value)
    assert mark != hashlib.sha256(seal.canonical(value)).hexdigest()


async def test_first_writers_at_once_share_one_key(web: Database, people: Cast) -> None:
    import asyncio

    async def write(number: int) -> JsonValue:
        async with web.tenant(people.ritas_company) as session:
            content = await seal.keep(session, number)
            await seal.mark(session, number)
            return await seal.read(session, content)

    assert await asyncio.gather(*(write(number) for number in range(6))) == list(range(6))
    async with web.tenant(people.ritas_company) as session:
        periods = list(await session.scalars(select(DataKey.period).where(DataKey.tenant_id == people.ritas_company)))
    assert len(periods) == len(set(periods)) == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"\\é', max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_a_value_has_one_spelling(value: JsonValue) -> None:
    spelled = seal.canonical(value)
    assert json.loads(spelled) == value and seal.canonical(json.loads(spelled)) == spelled
