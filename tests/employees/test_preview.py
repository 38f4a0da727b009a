"""A draft beside today's sheet, and against the last 30 days: what would change, and what nobody can know."""

from dataclasses import replace

import pytest

from app.demo.mails import broken_cup
from app.employees.draft import Draft
from app.employees.dry_run import DryRun, Fate, Unknown, dry_run
from app.employees.preview import Preview, preview
from app.errors import NotAllowed, NotFound
from app.policy.decision import Mode
from app.policy.explain import Moment, Way
from tests.people import Cast, Someone
from tests.scripted import Scripted, mail, refund, words
from tests.sheets import current, exception, mails_a_day, past_trial, refunds_a_month
from tests.world import World


async def seen(world: World, people: Cast, draft: Draft, who: Someone | None = None) -> Preview:
    by = who or people.nadia
    async with world.web.tenant(by.tenant_id) as session:
        return await preview(session, people.camille, draft, by=by.member)


async def replayed(world: World, people: Cast, **parts: object) -> DryRun:
    draft = replace((await current(world, people)).draft, **parts)  # type: ignore[arg-type]  # parts of a draft
    async with world.web.tenant(people.company) as session:
        return await dry_run(session, people.camille, draft, by=people.nadia.member)


async def test_a_preview_shows_what_changes_and_writes_nothing(world: World, people: Cast) -> None:
    await past_trial(world, people)
    now = await current(world, people)
    told = await seen(world, people, replace(now.draft, tools={"send_reply": Mode.TELL}))

    ways = {(one.tool, one.moment): (one.before, one.after, one.way) for one in told.changes}
    assert ways == {("send_reply", Moment.START): (Mode.ASK, Mode.TELL, Way.LOOSER)}
    assert told.version == now.version == (await current(world, people)).version
    assert len(told.differences) == 1 and told.problems == {}
    assert {row.mode for row in told.for_visitors if row.tool == "send_reply"} == {Mode.NEVER}


async def test_the_editor_is_told_what_an_exception_lets_through(world: World, people: Cast) -> None:
    await past_trial(world, people)
    draft = replace(
        (await current(world, people)).draft, exceptions=(exception("Greet.", "send_reply", "refund_order"),)
    )
    ((refunds, mails),) = (await seen(world, people, draft)).reaches
    assert (mails.as_it_starts, mails.after_outside, mails.free_text) == (True, False, {"body", "subject"})
    assert (refunds.as_it_starts, refunds.held_by) == (False, "limits")


async def test_a_preview_names_problems_and_only_deciders_see_one(world: World, people: Cast) -> None:
    draft = (await current(world, people)).draft
    assert list((await seen(world, people, replace(draft, mission=""))).problems) == ["mission"]
    for who, why in ((people.lea, NotAllowed), (people.rita, NotFound)):
        with pytest.raises(why):
            await seen(world, people, draft, who)


async def test_under_the_same_sheet_nothing_would_have_changed(world: World, people: Cast) -> None:
    await world.mail(people, broken_cup())
    await world.work()
    told = await replayed(world, people)
    assert told.counts[Fate.UNCHANGED] == told.looked_at >= 4
    assert Unknown.OTHER_COURSE in told.unknown and told.examples[Fate.LOOSENED] == ()


async def test_a_stricter_and_a_looser_sheet_show_their_examples(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people)
    await scripted.give(people, [mail(), refund()], [words()])

    stricter = await replayed(scripted, people, tools={"refund_order": Mode.NEVER})
    (example,) = stricter.examples[Fate.TIGHTENED]
    assert (example.tool, example.before, example.after, example.rule) == (
        "refund_order",
        Mode.ASK,
        Mode.NEVER,
        "job_sheet",
    )
    looser = await replayed(scripted, people, tools={"send_reply": Mode.TELL})
    assert [one.tool for one in looser.examples[Fate.LOOSENED]] == ["send_reply"]
    assert looser.by_tool["refund_order"] == {Fate.UNCHANGED: 1}


async def test_totals_are_counted_along_the_way(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund("10.00", "first"), refund("10.00", "second")], [words()])
    told = await replayed(scripted, people, ceilings=(refunds_a_month("15"), mails_a_day(1)))
    assert [one.rule for one in told.examples[Fate.TIGHTENED]] == ["ceiling"]
    assert Unknown.EARLIER_TOTALS in told.unknown


async def test_what_the_trial_was_then_it_is_in_the_replay(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [mail()], [words()])
    await past_trial(scripted, people)
    told = await replayed(scripted, people, tools={"send_reply": Mode.TELL})
    assert told.counts[Fate.LOOSENED] == 0


async def test_what_had_been_read_from_outside_then_it_is_in_the_replay(world: World, people: Cast) -> None:
    await past_trial(world, people)
    await world.mail(people, broken_cup())
    await world.work()
    told = await replayed(world, people, tools={"send_reply": Mode.TELL})
    assert told.counts[Fate.LOOSENED] == 0
