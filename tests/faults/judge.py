"""Was anything lost or done twice? Asked of the mail server, the shop and the model server, not of ourselves.

Only what they say is compared with what our database says; every sentence that is not true is named.
"""

from collections import Counter

from sqlalchemy import text

from app.runs.models import ToolCall
from app.runs.queries import uncertain
from app.runs.states import CallStatus, End
from tests.faults.scene import Scene, message_id

HOW_OFTEN = {
    CallStatus.DONE: {1},
    CallStatus.FAILED: {0},
    CallStatus.REFUSED: {0},
    CallStatus.UNCERTAIN: {0, 1},
}


async def complaints(scene: Scene) -> list[str]:
    """What went wrong, one sentence each; empty if all is well."""
    found = [*await _tasks(scene), *await _replies(scene), *await _refunds(scene), *await _shown(scene)]
    found += await _counted(scene)
    requests, bad = await scene.around.bad_requests()
    return found + ([f"{bad} of {requests} requests to the model were invalid"] if bad or not requests else [])


async def _tasks(scene: Scene) -> list[str]:
    """Every mail that was kept is one task, and each ended by itself or waits for a person's finding."""
    runs = await scene.runs()
    wrong = [f"a task ended as {run.end}" for run in runs if run.ended_at is not None and run.end is not End.ANSWERED]
    if not len(runs) == len(scene.customers) == len(scene.kept):
        wrong.append(f"{len(scene.kept)} of {len(scene.customers)} mails kept, {len(runs)} tasks")
    return wrong


async def _replies(scene: Scene) -> list[str]:
    """Each reply as often as its call says, to each customer as often as Nadia said yes, and no other."""
    arrived = [(name, to) for name, to in scene.around.mails() if to in scene.customers]
    mails = [name for name, _ in arrived]
    calls = {message_id(call.idempotency_key): call for call in await scene.calls("send_reply")}
    wrong = [f"{one.status} but {n} mails" for key, one in calls.items() if (n := mails.count(key)) not in _may(one)]
    wrong += [f"{key} was found not sent and then arrived" for key in scene.not_done if message_id(key) in mails]
    wrong += [f"{mail} belongs to no call" for mail in mails if mail not in calls]
    yes = Counter([await scene.recipient(call) for call in calls.values() if await scene.said_yes(call)])
    return wrong + [f"{to} got {n} of {yes[to]}" for to, n in Counter(to for _, to in arrived).items() if n > yes[to]]


async def _refunds(scene: Scene) -> list[str]:
    """Never twice by the shop's own books, and as often as the calls say."""
    books = scene.around.refunds()
    wrong = [f"{order} was refunded {books[order]} times" for order in scene.customers.values() if books[order] > 1]
    done = [call for call in await scene.calls("refund_order") if call.status is CallStatus.DONE]
    booked = sum(books[order] for order in scene.customers.values())
    return wrong + ([f"{len(done)} refunds done, {booked} in the shop's books"] if len(done) != booked else [])


async def _shown(scene: Scene) -> list[str]:
    """What nobody knows stands in Nadia's inbox."""
    everything = [call for tool in ("send_reply", "refund_order") for call in await scene.calls(tool)]
    unknown = {call.id for call in everything if call.status is CallStatus.UNCERTAIN}
    async with scene.web.tenant(scene.people.company) as session:
        shown = {deed.id for deed in await uncertain(session, by=scene.people.nadia.member)}
    return [] if shown == unknown else [f"{len(unknown)} unknown, {len(shown)} shown"]


async def _counted(scene: Scene) -> list[str]:
    """Drafts once, outcomes once in the journal, and no money set aside for ever."""
    asked = {
        "drafts twice": "SELECT count(*) - count(DISTINCT run_id) FROM messages WHERE kind = 'draft'",
        "outcomes twice": "SELECT count(*) - count(DISTINCT (about, event)) FROM journal WHERE event IN"
        " ('call.done', 'call.failed', 'call.uncertain')",
        "reservations open": "SELECT count(*) FROM usage WHERE status = 'reserved'",
        "budgets off": "SELECT count(*) FROM budgets b WHERE reserved_usd <> 0 OR settled_usd <> (SELECT"
        " coalesce(sum(cost_usd), 0) FROM usage u WHERE u.budget_id = b.id)",
    }
    async with scene.owner.tenant(scene.people.company) as session:
        counts = {name: await session.scalar(text(question)) for name, question in asked.items()}
    return [f"{count} {name}" for name, count in counts.items() if count]


def _may(call: ToolCall) -> set[int]:
    return HOW_OFTEN.get(call.status, set())
