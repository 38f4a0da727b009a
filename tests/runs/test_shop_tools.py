"""The shop tools against the shop itself: only the customer's order, never more than was paid, no doubt left unsaid."""

import socket
from dataclasses import replace
from typing import Any

import pytest

from app.runs.states import CallStatus
from tests.people import Cast
from tests.scripted import Scripted, read, refund, words


async def told(world: Scripted, people: Cast, number: str) -> str:
    await world.give(people, [read("lookup_order", order_number=number)], [words()])
    return (await world.results(people, "lookup_order"))[-1]


async def test_an_order_of_the_customer_is_shown(scripted: Scripted, people: Cast) -> None:
    text = await told(scripted, people, "MC-1049")
    assert '"provenance": "outside"' in text and "Earl Grey" in text and "emma.walsh" not in text


async def test_another_s_order_and_none_at_all_sound_the_same(scripted: Scripted, people: Cast) -> None:
    numbers = ["MC-1043", "MC-9999", "mc-1043"]
    await scripted.give(people, [read("lookup_order", order_number=number) for number in numbers], [words()])
    results = await scripted.results(people)
    assert len({text.replace(number, "#") for text, number in zip(results, numbers, strict=True)}) == 1
    assert "There is no order MC-1043 for the address" in results[0]


async def test_a_path_is_no_order_number(scripted: Scripted, people: Cast) -> None:
    numbers = ["../orders/MC-1043", "MC-1042/refunds", "MC-1042?x=1", "", "MC 1042"]
    await scripted.give(people, [read("lookup_order", order_number=number) for number in numbers], [words()])
    assert ["do not fit" in text for text in await scripted.results(people)] == [True] * 5


async def refund_all(world: Scripted, people: Cast, *amounts: str) -> list[str]:
    await world.give(people, *([refund(amount, f"Reason {amount}")] for amount in amounts), [words()])
    for _ in amounts:
        for request, _ in await world.pending(people.company):
            await world.answer(people.nadia, request.id, "approve")
        await world.work()
    return await world.results(people, "refund_order")


async def test_refunds_stop_at_what_was_paid_in_total(scripted: Scripted, people: Cast) -> None:
    """Business rules hold on totals: the third one would pass what Emma paid."""
    results = await refund_all(scripted, people, "24.00", "24.01", "24.02")
    assert "The shop refuses" in results[2] and "Nothing was booked" in results[2]
    assert await scripted.refunded("MC-1042") == "48.01"


async def test_a_shop_that_cannot_be_reached_did_nothing(scripted: Scripted, people: Cast) -> None:
    """Fault T1: refused before the first byte."""
    await scripted.give(people, [refund()], [words()])
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        elsewhere = f"http://127.0.0.1:{nobody.getsockname()[1]}"
    secrets = {**scripted.house.secrets, "shop_url": elsewhere}
    scripted.house = replace(scripted.house, secrets=secrets)
    ((request, _),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "approve")
    await scripted.work()
    assert (await scripted.one(people, "refund_order")).status is CallStatus.FAILED


class LostReply:
    """Sends on what it is given, and loses the first answers to what changes something."""

    def __init__(self, http: Any, times: int) -> None:
        self.http, self.times, self.keys = http, times, list[str]()

    async def request(self, method: str, url: str, **more: Any) -> Any:
        from app.errors import OutcomeUnknown

        answer = await self.http.request(method, url, **more)
        if method == "POST":
            self.keys.append(more["headers"]["Idempotency-Key"])
            if len(self.keys) <= self.times:
                raise OutcomeUnknown("the answer was lost")
        return answer


@pytest.mark.parametrize(("lost", "status"), [(2, CallStatus.DONE), (9, CallStatus.UNCERTAIN)])
async def test_a_lost_answer_is_asked_for_again_with_the_same_key(
    scripted: Scripted, people: Cast, lost: int, status: CallStatus
) -> None:
    """Case 22: booked once, whatever is lost; at last a person is asked."""
    http = LostReply(scripted.house.http, lost)
    scripted.house = replace(scripted.house, http=http)  # type: ignore[arg-type]  # the part of it that tools use
    await scripted.give(people, [refund()], [words()])
    ((request, _),) = await scripted.pending(people.company)
    await scripted.answer(people.nadia, request.id, "approve")
    await scripted.work()

    assert (await scripted.one(people, "refund_order")).status is status
    assert len(set(http.keys)) == 1 and len(http.keys) == 3
    assert await scripted.refunded("MC-1042") == "10.00"
