"""A standing exception is quoted word for word, used as often as it may be, and then it asks again."""

from dataclasses import replace

import pytest

from app.employees.quoted import quoted
from app.employees.revise import withdraw_exception
from app.errors import NotAllowed
from app.policy.decision import Comparison, Condition
from tests.people import Cast
from tests.scripted import Line, Scripted, mail, words
from tests.sheets import current, exception, past_trial

SENTENCE = "A greeting may be sent without asking."


def greeting(body: str, quoted: str = SENTENCE) -> Line:
    line = mail(body)
    return {**line, "input": {**line["input"], "_exception": quoted}}  # type: ignore[dict-item]  # a call's input


async def test_two_uses_a_day_are_two_and_the_third_asks_saying_so(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people, exceptions=(exception(SENTENCE, "send_reply", uses=2),))
    bodies = ("One.", "Two, another.", "Three, a third.")
    await scripted.give(people, [greeting(body) for body in bodies], [words()])

    assert len(scripted.mailbox.mails()) == 2
    ((_, call),) = await scripted.pending(people.company)
    assert call.trail[-1]["note"] == {"cited": "used_up"}
    async with scripted.web.tenant(people.company) as session:
        shown = await quoted(session, people.camille, by=people.nadia.member)
        with pytest.raises(NotAllowed):
            await quoted(session, people.camille, by=people.lea.member)
    assert [(one.sentence, one.arguments["body"]) for one in shown] == [(SENTENCE, bodies[1]), (SENTENCE, bodies[0])]


async def test_what_is_quoted_otherwise_asks(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people, exceptions=(exception(SENTENCE, "send_reply"),))
    await scripted.give(people, [greeting("One.", "Greetings may be sent.")], [words()])
    ((_, call),) = await scripted.pending(people.company)
    assert call.trail[-1]["note"] == {"cited": "unknown"}


async def test_withdrawn_it_no_longer_counts_in_a_task_under_way(scripted: Scripted, people: Cast) -> None:
    await past_trial(scripted, people, exceptions=(exception(SENTENCE, "send_reply"),))
    (kept,) = (await current(scripted, people)).draft.exceptions
    async with scripted.web.tenant(people.company) as session:
        await withdraw_exception(session, people.camille, kept.id, by=people.nadia.member)
    await scripted.give(people, [greeting("One.")], [words()])
    assert scripted.mailbox.mails() == [] and len(await scripted.pending(people.company)) == 1
    assert len(await scripted.journal(people, "exception.withdrawn")) == 1


async def test_conditions_look_at_what_runs(scripted: Scripted, people: Cast) -> None:
    to_emma = Condition("to", Comparison.IS, "someone.else@example.com")
    one = replace(exception(SENTENCE, "send_reply"), conditions=(to_emma,))
    await past_trial(scripted, people, exceptions=(one,))
    await scripted.give(people, [greeting("One.")], [words()])
    ((_, call),) = await scripted.pending(people.company)
    assert call.trail[-1]["note"] == {"cited": "conditions"}
