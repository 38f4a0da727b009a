"""A job sheet changes in versions; two who edit at once lose nothing; tasks use the new one at their next decision."""

import asyncio
from dataclasses import replace

import pytest

from app.approvals.still_valid import NoLongerValid
from app.conversations.say import give_task
from app.employees.draft import Part
from app.employees.revise import ChangedMeanwhile, withdraw_exception
from app.employees.valid import DraftInvalid
from app.employees.versions import history
from app.errors import NotAllowed, NotFound
from app.ids import new_id
from app.policy.decision import Comparison, Condition, Kind, Mode
from tests.people import Cast, Someone
from tests.scripted import Scripted, mail, refund, words
from tests.sheets import change, current, exception, mails_a_day, refunds_a_month, save
from tests.world import World


async def test_a_version_says_who_when_and_what_changed(world: World, people: Cast) -> None:
    assert await change(world, people, mission="Answers mails.", tools={"send_reply": Mode.NEVER}) == 2

    async with world.web.tenant(people.company) as session:
        newest, first = await history(session, people.camille, by=people.lea.member)
    assert (newest.version, newest.made_by, first.changed) == (2, people.nadia.user_id, ())
    changed = {(one.part, one.which): (one.before, one.after) for one in newest.changed}
    assert changed[Part.TOOL, "send_reply"] == (None, "never")
    assert changed[Part.MISSION, ""][1] == "Answers mails." and len(changed) == 2


async def test_the_second_of_two_editors_is_shown_the_firsts_change_and_keeps_their_own(
    world: World, people: Cast
) -> None:
    seen = await current(world, people)
    await save(world, people.omar, people, replace(seen.draft, mission="Omar's words."), seen.version)
    mine = replace(seen.draft, instructions="Nadia's words.")

    with pytest.raises(ChangedMeanwhile) as told:
        await save(world, people.nadia, people, mine, seen.version)
    assert told.value.facts["who"] == "Omar" and [one.after for one in told.value.theirs] == ["Omar's words."]
    assert (await current(world, people)).draft.instructions == seen.draft.instructions

    both = replace(mine, mission="Omar's words.")
    assert await save(world, people.nadia, people, both, told.value.version) == 3
    assert (await current(world, people)).draft.instructions == "Nadia's words."


async def test_of_ten_who_save_at_once_one_does(world: World, people: Cast) -> None:
    seen = await current(world, people)

    async def try_to(place: int) -> bool:
        who = (people.nadia, people.omar)[place % 2]
        try:
            await save(world, who, people, replace(seen.draft, mission=f"Words {place}."), seen.version)
        except ChangedMeanwhile:
            return False
        return True

    assert sum(await asyncio.gather(*(try_to(place) for place in range(10)))) == 1
    assert (await current(world, people)).version == 2


async def test_the_same_form_twice_is_one_version_and_no_change_is_none(world: World, people: Cast) -> None:
    seen = await current(world, people)
    assert await save(world, people.nadia, people, seen.draft, seen.version) == 1
    async with world.web.tenant(people.company) as session:
        with pytest.raises(NotFound):
            await withdraw_exception(session, new_id(), "any", by=people.nadia.member)


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"mission": "  "}, "mission"),
        ({"listed_tools": ("delete_everything",)}, "listed_tools.delete_everything"),
        ({"tools": {"format_disk": Mode.ASK}}, "tools.format_disk"),
        ({"public_tools": ("tell_manager",)}, "public_tools.tell_manager"),
        ({"exceptions": (exception("", "send_reply"),)}, "exceptions.0.text"),
        ({"exceptions": (exception("Go.", "read_mail"),)}, "exceptions.0.tools"),
        ({"exceptions": (exception("Go.", "send_reply"), exception("GO.", "send_reply"))}, "exceptions.1.text"),
        ({"exceptions": (exception("Go.", "send_reply", uses=0),)}, "exceptions.0.uses_per_day"),
        ({"ceilings": (replace(mails_a_day(5), tools=frozenset({"read_mail"})),)}, "ceilings.0.tools"),
        ({"ceilings": (replace(refunds_a_month("5"), counts="reason"),)}, "ceilings.0.counts"),
        ({"ceilings": (replace(mails_a_day(5), limit=mails_a_day(-1).limit),)}, "ceilings.0.limit"),
        ({"talkers": frozenset({new_id()})}, "talkers"),
    ],
)
async def test_what_cannot_be_is_named_field_by_field_and_not_saved(
    world: World, people: Cast, parts: dict[str, object], field: str
) -> None:
    with pytest.raises(DraftInvalid) as told:
        await change(world, people, **parts)
    assert list(told.value.fields) == [field]
    assert (await current(world, people)).version == 1


@pytest.mark.parametrize(
    ("condition", "field"),
    [
        (Condition("weather", Comparison.IS, "fine"), "exceptions.0.conditions.0.field"),
        (Condition("amount", Comparison.AT_MOST, "a lot"), "exceptions.0.conditions.0.value"),
        (Condition("order", Comparison.IS_ONE_OF, ()), "exceptions.0.conditions.0.value"),
        (Condition("order", Comparison.DOMAIN_IS, "no domain"), "exceptions.0.conditions.0.value"),
    ],
)
async def test_a_condition_is_about_a_detail_that_is_there(
    world: World, people: Cast, condition: Condition, field: str
) -> None:
    one = replace(exception("Refund it.", "refund_order"), conditions=(condition,))
    with pytest.raises(DraftInvalid) as told:
        await change(world, people, exceptions=(one,))
    assert list(told.value.fields) == [field]


async def test_a_member_cannot_another_company_sees_nothing_and_the_rule_on_outside_content_is_an_admins(
    world: World, people: Cast
) -> None:
    seen = await current(world, people)
    off = replace(seen.draft, outside_content_rule=False)
    for who, why in ((people.lea, NotAllowed), (people.rita, NotFound), (people.nadia, NotAllowed)):
        with pytest.raises(why):
            await save(world, who, people, off, seen.version)
    assert await save(world, people.omar, people, off, seen.version) == 2


async def test_a_request_that_the_new_sheet_forbids_can_no_longer_be_approved(scripted: Scripted, people: Cast) -> None:
    """Case 18; and what was decided names the version that decided it."""
    await scripted.give(people, [mail()], [words()])
    ((request, call),) = await scripted.pending(people.company)
    await change(scripted, people, kinds={Kind.ACT: Mode.NEVER})

    with pytest.raises(NoLongerValid) as told:
        await scripted.answer(people.nadia, request.id, "approve")
    assert told.value.facts["why"] == "policy_changed"
    async with scripted.web.tenant(people.company) as session:
        steps = await history(session, people.camille, by=people.nadia.member)
    assert len(steps) == 2 and call.sheet_id == request.sheet_id


async def test_a_sheet_that_changes_between_yes_and_effect_stops_the_effect(scripted: Scripted, people: Cast) -> None:
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "approve")
    await change(scripted, people, tools={"refund_order": Mode.NEVER})
    await scripted.work()

    assert await scripted.refunded("MC-1042") == "0.00"
    assert (await scripted.one(people, "refund_order")).refused_by == "policy:job_sheet"


async def test_an_exception_is_withdrawn_with_one_click_and_twice_is_once(world: World, people: Cast) -> None:
    await change(world, people, exceptions=(exception("Greetings need nobody.", "send_reply"),))
    (kept,) = (await current(world, people)).draft.exceptions
    for _ in range(2):
        async with world.web.tenant(people.company) as session:
            assert await withdraw_exception(session, people.camille, kept.id, by=people.nadia.member) == 3
    assert (await current(world, people)).draft.exceptions == ()


async def test_only_the_named_colleagues_and_the_deciders_talk_to_it(world: World, people: Cast) -> None:
    async def task(who: Someone) -> None:
        async with world.web.tenant(people.company) as session:
            await give_task(session, people.camille, "Hello.", by=who.member, operation=new_id())

    await change(world, people, talkers=frozenset({people.omar.user_id}))
    with pytest.raises(NotAllowed):
        await task(people.lea)
    await task(people.nadia)
    await change(world, people, talkers=frozenset({people.lea.user_id}))
    await task(people.lea)
