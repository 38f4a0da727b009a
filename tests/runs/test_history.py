"""Whatever happens to a conversation, every request that is made of it is one that the API takes (promise 6).

Chance writes the scripts, decides, speaks in between, kills workers and ends tasks; the practice model judges.
"""

import os
import random
from contextlib import suppress
from datetime import timedelta

import pytest
from sqlalchemy import func

from app.approvals.answer import AlreadyDecided, TooLate
from app.approvals.still_valid import NoLongerValid
from app.runs.breakpoints import NAMES
from app.runs.cancel import cancel
from app.runs.states import ENDED, RunStatus
from tests.moments import Killed, at, die
from tests.people import Cast
from tests.scripted import Line, Scripted, mail, read, refund, use, words

LINES: list[Line] = [
    read("lookup_order", order_number="MC-1042"),
    read("search_catalogue", query="tea"),
    read("read_mail"),
    refund("1.00"),
    refund("2.00"),
    mail(),
    use("save_draft", subject="Hello", body="Dear Emma"),
    use("no_such_tool"),
    use("refund_order", amount="much"),
    words("Let me see."),
    {"thinking": "So."},
]
SEEDS = 500 if os.environ.get("PLACET_NIGHTLY") == "1" else 4
STOPS: list[list[Line]] = [[], [], [], [{"stop_reason": "max_tokens"}], [{"stop_reason": "odd"}]]


def a_turn(chance: random.Random) -> list[Line]:
    lines = chance.sample(LINES, chance.randint(1, 4)) + chance.choice(STOPS)
    return lines if any(set(line) & {"tool", "text"} for line in lines) else [words(), *lines]


async def something(world: Scripted, people: Cast, chance: random.Random) -> None:
    """A person decides, speaks, or ends the task; or time passes."""
    what = chance.choice(["decide", "decide", "decide", "say", "end", "time"])
    run = await world.run(people)
    pending = await world.pending(people.company)
    if what == "decide" and pending:
        request, _ = chance.choice(pending)
        with suppress(AlreadyDecided, TooLate, NoLongerValid):
            await world.answer(people.nadia, request.id, chance.choice(["approve", "reject"]), "as I say")
    elif what == "say":
        await world.say(people.nadia, run.conversation_id, "And?")
    elif what == "end" and run.status not in ENDED and chance.random() < 0.3:
        async with world.web.tenant(people.company) as session:
            await cancel(session, run.id, by=people.nadia.member)
    else:
        await world.due_now(people)


async def work_or_die(world: Scripted, people: Cast, chance: random.Random) -> None:
    """A worker brings it on, and sometimes is killed on the way."""
    run = await world.run(people)
    if run.status is RunStatus.RUNNING:
        await world.rewrite(run, lease_until=func.clock_timestamp() - timedelta(seconds=1))
    with suppress(Killed), at(chance.choice(NAMES), die, times=chance.choice([0, 0, 1])):
        await world.work()


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_every_request_is_valid_whatever_happens(scripted: Scripted, people: Cast, seed: int) -> None:
    chance = random.Random(seed)
    with at("claimed", die), pytest.raises(Killed):
        await scripted.give(people, *(a_turn(chance) for _ in range(6)))
    for _ in range(9):
        await work_or_die(scripted, people, chance)
        await something(scripted, people, chance)
    await work_or_die(scripted, people, chance)

    counts = await scripted.asked_of_model()
    assert counts["requests"] >= 1 and counts["status_400"] == 0, counts["refusals"]
    assert all(run.end is None or run.end.value != "broke" for run in await scripted.runs(people.company))
    assert scripted.sent() <= 1 + sum(call.tool == "send_reply" for call in await scripted.calls(people.company))
