"""`kill -9` of the worker at many moments of the demo's work (RELIABILITY R3): nothing lost, nothing twice.

Six kills at places of an effect always; in the thorough run a hundred, at every named place inside the worker and at
its other sides and at random moments between; with PLACET_NIGHTLY=1 20,000. PLACET_SEED chooses the seed.
"""

import asyncio
import os
import signal
import time
from collections import Counter
from dataclasses import dataclass

import pytest

from app.runs.breakpoints import NAMES
from app.runs.states import ENDED, CallStatus
from tests.faults.around import OUTSIDE
from tests.faults.judge import complaints
from tests.faults.scene import Scene
from tests.faults.zygote import Doomed

NIGHTLY = os.environ.get("PLACET_NIGHTLY") == "1"
SEED = int(os.environ.get("PLACET_SEED") or time.time_ns() % 1_000_000)
KILLS = 20_000 if NIGHTLY else 100
PLACES = (*NAMES, *OUTSIDE)
DANGEROUS = (
    "after_intent",
    "after_effect",
    "mail_before_data",
    "mail_taken",
    "refund_booked",
    "smtp_dot",
)  # of effects
AT_EACH = KILLS * 7 // 10 // len(PLACES)  # kills; what is left of them strikes at random moments
AT_ONCE = 16 if NIGHTLY else 8  # tasks that there is always something to do for
PATIENCE = 20.0  # seconds until one of the places that are owed must be reached
RANDOM = "at a random moment"


@dataclass(frozen=True)
class Spread:
    """How far from the first chance workers die."""

    most_skipped: int  # break points that one comes by before it may die: a task has about a hundred
    at_first_sight: float  # chance that the other side's place strikes when it is reached


NARROW, WIDE = Spread(8, 1.0), Spread(40, 0.3)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "scene", [SEED], indirect=True, ids=["by chance"]
)  # each test process must collect the same names
async def test_a_worker_may_be_killed_at_any_moment(scene: Scene) -> None:
    owed = Counter({place: AT_EACH for place in PLACES})
    owed[RANDOM] = KILLS - owed.total()
    await under_kills(scene, owed, AT_ONCE, WIDE)


@pytest.mark.parametrize("scene", [SEED], indirect=True, ids=["by chance"])
async def test_a_worker_killed_at_each_dangerous_place_loses_and_doubles_nothing(scene: Scene) -> None:
    await under_kills(scene, Counter(DANGEROUS), 5, NARROW)


async def under_kills(scene: Scene, owed: Counter[str], at_once: int, spread: Spread) -> None:
    """Kill workers until each place has had its turns; then the others' books must agree with ours."""
    places, began, killed = [place for place in owed if place != RANDOM], time.monotonic(), Counter[str]()
    people = asyncio.create_task(scene.people_at_work(at_once=at_once))
    try:
        while +owed:
            at = await kill(scene, [place for place in +owed if place != RANDOM], owed[RANDOM] / owed.total(), spread)
            killed[at] += 1
            owed[at] -= 1
            if people.done():
                people.result()  # says why: without people nothing more would happen
    finally:
        people.cancel()
        await asyncio.gather(people, return_exceptions=True)
    await scene.worker()
    await scene.at_rest(60)
    await scene.forget_reservations()
    tell(scene, killed, time.monotonic() - began, await figures(scene))

    assert await complaints(scene) == [], f"seed {SEED}"
    assert all(hits(scene)[place] and killed[place] for place in places), f"seed {SEED}"


async def kill(scene: Scene, places: list[str], by_chance: float, spread: Spread) -> str:
    """Start a worker, let it come to one of the places (or not), and say where it died."""
    anywhere, skip = scene.dice.random() < by_chance, scene.dice.randint(0, spread.most_skipped)
    doomed = await scene.worker(at=[] if anywhere else places, skip=skip)
    seen = [] if anywhere else [place for place in places if place in OUTSIDE]
    struck = strike(scene, doomed, seen, spread.at_first_sight)
    if scene.dice.random() < 0.3:
        await lead(scene, places)
    code = await doomed.ended(scene.dice.uniform(0.05, 1.0) if anywhere else PATIENCE)
    if code is None:
        assert anywhere, f"none of {places} was reached, seed {SEED}"
        doomed.send(signal.SIGKILL)
    assert await doomed.ended(5) == -signal.SIGKILL, f"the worker ended by itself, seed {SEED}"
    return doomed.at or (struck[0] if struck else RANDOM)


def strike(scene: Scene, doomed: Doomed, places: list[str], at_first_sight: float) -> list[str]:
    """Kill it when it has reached the other side at one of these places; which one comes into the list."""
    struck: list[str] = []

    def tell(name: str) -> None:
        if name in places and not struck and not doomed.end.done() and scene.dice.random() < at_first_sight:
            struck.append(name)
            doomed.send(signal.SIGKILL)

    scene.around.watch.tell = tell
    return struck


async def lead(scene: Scene, places: list[str]) -> None:
    """Give it a reason to come to what is rare."""
    if any("mail" in place or "smtp" in place for place in places):
        await scene.remind()
    if "beat" in places:
        scene.around.slow_model += [0.8] * 4


def hits(scene: Scene) -> Counter[str]:
    return scene.zygote.hits + scene.around.watch.hits


async def figures(scene: Scene) -> str:
    """What went on while workers were killed."""
    runs = await scene.runs()
    calls = [call for tool in ("send_reply", "refund_order") for call in await scene.calls(tool)]
    became = Counter(call.status.value for call in calls)
    waits = len([run for run in runs if run.status not in ENDED])
    requests, bad = await scene.around.bad_requests()
    return (
        f"{len(runs)} tasks ({waits} wait for a person), claimed {sum(run.claims for run in runs)} times; replies and"
        f" refunds {dict(became)}; {became[CallStatus.UNCERTAIN]} stayed uncertain; {len(scene.around.mails())} mails,"
        f" {sum(scene.around.refunds().values())} refunds in the books; {requests} requests to the model, {bad} invalid"
    )


def tell(scene: Scene, killed: Counter[str], seconds: float, what: str) -> None:
    """The figures, for whoever runs this."""
    print(f"\n{killed.total()} kills in {seconds:.0f} s, seed {SEED}\n{what}")
    for place in (*PLACES, RANDOM):
        print(f"  {place:<20} reached {hits(scene)[place]:>6}   killed {killed[place]:>4}")
