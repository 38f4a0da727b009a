"""A trial ends with a person's word: its end date only asks."""

from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
from sqlalchemy import update
from sqlalchemy.exc import ProgrammingError

from app.approvals.during_trial import during_trial
from app.employees.hire import hire
from app.employees.models import Agent
from app.employees.trial import EndsInThePast, NotOnTrial, end_trial, extend_trial, note_end, trial_of, trials_over
from app.errors import NotAllowed, NotFound
from app.policy.decision import Mode
from tests.people import Cast
from tests.scripted import Scripted, mail, refund, words
from tests.sheets import change, rewrite_agent
from tests.world import World

YESTERDAY = datetime.now(UTC) - timedelta(days=1)


async def test_at_its_end_date_nothing_gets_looser_and_the_deciders_are_asked(world: World, people: Cast) -> None:
    await rewrite_agent(world, people, trial_ends_at=YESTERDAY)
    for expected in (True, False):
        async with world.worker.tenant(people.company) as session:
            assert await note_end(session, people.camille) is expected
    async with world.web.tenant(people.company) as session:
        trial = await trial_of(session, people.camille, by=people.nadia.member)
        assert trial.on_trial and trial.over
        for who, questions in ((people.nadia, 1), (people.omar, 1), (people.lea, 0)):
            assert len(await trials_over(session, by=who.member)) == questions


async def test_the_worker_cannot_end_a_trial(world: World, people: Cast) -> None:
    """The database refuses, whatever the code does."""
    with pytest.raises(ProgrammingError) as refused:
        async with world.worker.tenant(people.company) as session:
            await session.execute(update(Agent).where(Agent.id == people.camille).values(on_trial=False))
    assert isinstance(refused.value.orig, psycopg.errors.InsufficientPrivilege)


async def test_ended_by_a_manager_the_next_task_is_by_the_job_sheet_alone(scripted: Scripted, people: Cast) -> None:
    await change(scripted, people, tools={"send_reply": Mode.TELL})
    await scripted.give(people, [mail("Asks.")], [words()])
    assert len(await scripted.pending(people.company)) == 1
    async with scripted.web.tenant(people.company) as session:
        trial = await trial_of(session, people.camille, by=people.nadia.member)
        assert {(one.tool, one.before, one.after) for one in trial.if_ended} >= {("send_reply", "ask", "tell")}
        for _ in range(2):
            await end_trial(session, people.camille, by=people.nadia.member)
    await scripted.give(people, [mail("Goes, and another.")], [words()])
    assert len(scripted.mailbox.mails()) == 1
    assert len(await scripted.journal(people, "trial.ended")) == 1


async def test_extended_it_is_asked_about_again_later(world: World, people: Cast) -> None:
    await rewrite_agent(world, people, trial_ends_at=YESTERDAY, trial_noted_at=YESTERDAY)
    async with world.web.tenant(people.company) as session:
        with pytest.raises(EndsInThePast):
            await extend_trial(session, people.camille, date(2020, 1, 1), by=people.nadia.member)
        await extend_trial(session, people.camille, date(2099, 12, 31), by=people.nadia.member)
        trial = await trial_of(session, people.camille, by=people.nadia.member)
        assert trial.ends_at is not None and trial.ends_at.isoformat() == "2099-12-31T23:00:00+00:00"  # Paris
        assert await trials_over(session, by=people.omar.member) == []
        await extend_trial(session, people.camille, None, by=people.nadia.member)
        await end_trial(session, people.camille, by=people.nadia.member)
        with pytest.raises(NotOnTrial):
            await extend_trial(session, people.camille, None, by=people.nadia.member)


async def test_a_member_ends_nothing_and_another_company_sees_nothing(world: World, people: Cast) -> None:
    for who, why in ((people.lea, NotAllowed), (people.rita, NotFound)):
        async with world.web.tenant(who.tenant_id) as session:
            for verb in (end_trial, trial_of, during_trial):
                with pytest.raises(why):
                    await verb(session, people.camille, by=who.member)


async def test_what_was_asked_and_answered_is_counted(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [mail(), refund()], [words()])
    for request, call in await scripted.pending(people.company):
        await scripted.answer(people.nadia, request.id, "approve" if call.tool == "send_reply" else "reject")
    async with scripted.web.tenant(people.company) as session:
        told = await during_trial(session, people.camille, by=people.nadia.member)
    assert [(one.tool, one.asked, one.approved, one.rejected) for one in told.tools] == [
        ("refund_order", 1, 0, 1),
        ("send_reply", 1, 1, 0),
    ]
    assert len(told.not_simply_approved) == 1


async def test_whoever_is_hired_may_have_a_last_day_of_trial(world: World, people: Cast) -> None:
    async with world.owner.tenant(people.company) as session:
        day = date(2099, 6, 30)
        hired = await hire(
            session, "customer_service", name="Zoé", by=None, managers=[], language="fr", trial_until=day
        )
    assert hired.on_trial and hired.trial_ends_at is not None and hired.trial_ends_at.date() == date(2099, 7, 1)
