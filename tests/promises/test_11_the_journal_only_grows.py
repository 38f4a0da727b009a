"""Promise 11: a day's work stands in the journal, in order, chained; what is changed in it afterwards is found."""

import hashlib
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import make_url

from app.demo.mails import broken_cup
from tests.people import Cast
from tests.scripted import Scripted, with_model


async def a_day(scripted: Scripted, people: Cast) -> Scripted:
    """A mail is answered: one request approved, one rejected."""
    world = with_model(scripted, "practice-model")
    await world.mail(people, broken_cup())
    await world.work()
    for request, call in await world.pending(people.company):
        await world.answer(people.nadia, request.id, "approve" if call.tool == "send_reply" else "reject", "no")
    await world.work()
    return world


COLUMNS = "tenant_id, position, at AT TIME ZONE 'UTC', id, event, by_user, by_agent, about, agent_id, facts::text"


def broken_at(connection: psycopg.Connection, people: Cast) -> list[int]:
    """The positions at which the chain does not hold: the same sums again, by another hand than the database's."""
    find = f"SELECT {COLUMNS}, previous_hash, hash FROM journal WHERE tenant_id = %s ORDER BY position"
    before, wrong = b"", []
    for number, (tenant, position, at, *rest, previous, ended) in enumerate(
        connection.execute(find, [people.company]), start=1
    ):
        moment = at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"
        words = [tenant, position, moment, *("" if part is None else part for part in rest)]
        told = hashlib.sha256(before + "\x1f".join(map(str, words)).encode()).digest()
        if (position, previous, ended) != (number, before, told):
            wrong.append(number)
        before = ended
    return wrong


@pytest.fixture
def superuser(database_url: str, postgres: dict[str, str]) -> Iterator[psycopg.Connection]:
    """Somebody who may do everything; nothing of it stays."""
    name = make_url(database_url).database or ""
    with psycopg.connect(postgres["superuser"].replace("+psycopg", ""), dbname=name) as connection:
        yield connection
        connection.rollback()


async def test_each_thing_that_happened_is_one_line_and_the_chain_holds(
    scripted: Scripted, people: Cast, superuser: psycopg.Connection
) -> None:
    world = await a_day(scripted, people)
    events = [line.event for line in await world.journal(people)]
    for event, times in {"mail.arrived": 1, "approval.approved": 1, "approval.rejected": 1}.items():
        assert events.count(event) == times
    assert events.count("approval.asked") >= 2
    assert events.index("mail.arrived") < events.index("approval.asked") < events.index("approval.approved")
    assert broken_at(superuser, people) == []


async def test_lines_name_people_and_things_by_id_and_hold_no_content(scripted: Scripted, people: Cast) -> None:
    world = await a_day(scripted, people)
    everything = " ".join(str(line.facts) for line in await world.journal(people))
    for word in ("emma", "Walsh", "cup", "Nadia", "24.50", "MC-1042"):
        assert word not in everything


CHANGES = [
    "UPDATE journal SET event = 'approval.rejected' WHERE event = 'approval.approved'",
    "UPDATE journal SET by_user = NULL WHERE event = 'approval.approved'",
    "UPDATE journal SET facts = '{}' WHERE event = 'approval.asked'",
    "DELETE FROM journal WHERE event = 'approval.rejected'",
    "UPDATE journal SET at = at + interval '1 second' WHERE event = 'approval.approved'",
]


async def test_what_a_superuser_changes_behind_the_triggers_is_found(
    scripted: Scripted, people: Cast, superuser: psycopg.Connection
) -> None:
    await a_day(scripted, people)
    for change in CHANGES:
        superuser.execute("ALTER TABLE journal DISABLE TRIGGER USER")
        changed = superuser.execute(f"{change} AND tenant_id = '{people.company}'").rowcount
        assert changed and broken_at(superuser, people) != [], change
        superuser.rollback()
    assert broken_at(superuser, people) == []
