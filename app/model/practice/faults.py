"""What goes wrong on demand? Faults that a test orders, each for a number of answers.

By `POST /practice/faults`, or for one request by the header `x-practice-fault`: a status, or the same JSON.
"""

import json
from collections import deque
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.model.practice.answer import Answer, cut_in_last_call
from app.model.practice.refusal import Refusal
from app.model.practice.request import JsonObject


class Fault(BaseModel):
    """One way to go wrong, or several at once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    times: int = Field(1, ge=1, description="For how many answers.")
    after: int = Field(0, ge=0, description="How many answers go well first.")
    status: int | None = Field(None, ge=400, le=599, description="An error status in place of an answer.")
    retry_after: str | None = Field(
        None, description="The header `retry-after` of that error.", coerce_numbers_to_str=True
    )
    error_in_stream: int | None = Field(
        None, ge=400, le=599, description="An error event inside a stream of status 200."
    )
    cut_after_bytes: int | None = Field(
        None, ge=0, description="The connection breaks after so many bytes of the body."
    )
    silent_seconds: float = Field(0, ge=0, description="Silence before the first byte.")
    stop_reason: str | None = Field(None, description="Another stop reason; `null` counts, if it is written down.")
    no_usage: bool = Field(False, description="The answer says nothing about its cost.")
    duplicate_ids: bool = Field(False, description="Two calls with one id. Waits for an answer with a call.")
    max_tokens_in_call: bool = Field(False, description="Cut in the last call. Waits for an answer with a call.")
    empty: bool = Field(False, description="No content.")
    unknown_block: bool = Field(False, description="A block of a type that nobody knows.")

    def fits(self, *, has_calls: bool) -> bool:
        """False while it waits for an answer that it can spoil."""
        return has_calls or not (self.duplicate_ids or self.max_tokens_in_call)

    def spoil(self, answer: Answer) -> Answer:
        """The answer with this wrong in it."""
        if self.duplicate_ids:
            answer = replace(answer, blocks=_with_one_id(answer.blocks))
        if self.max_tokens_in_call:
            answer = cut_in_last_call(answer)
        if self.empty:
            answer = replace(answer, blocks=(), stop_reason="end_turn")
        if self.unknown_block:
            answer = replace(answer, blocks=({"type": "practice_riddle", "riddle": "?"}, *answer.blocks))
        if "stop_reason" in self.model_fields_set:
            answer = replace(answer, stop_reason=self.stop_reason)
        return replace(answer, has_usage=not self.no_usage)


def _with_one_id(blocks: tuple[JsonObject, ...]) -> tuple[JsonObject, ...]:
    """Every call under the id of the first; a single call comes twice."""
    calls = [block for block in blocks if block.get("type") == "tool_use"]
    first = calls[0]["id"]
    same = tuple({**block, "id": first} if block.get("type") == "tool_use" else block for block in blocks)
    return same if len(calls) > 1 else (*same, dict(calls[0]))


def parse(order: bytes) -> Fault:
    """A fault from a status or from JSON; `Refusal` says what is wrong with the order."""
    try:
        told = json.loads(order)
        return Fault(status=told) if isinstance(told, int) else Fault.model_validate(told)
    except (ValueError, ValidationError) as error:
        raise Refusal(f"fault: {error}") from None


class Faults:
    """The orders, first come, first served."""

    def __init__(self) -> None:
        self._orders: deque[Fault] = deque()

    def order(self, fault: Fault) -> None:
        self._orders.append(fault)

    def clear(self) -> None:
        self._orders.clear()

    def take(self, *, has_calls: bool) -> Fault:
        """What goes wrong with this answer; a fault without orders in it is none."""
        if not self._orders:
            return Fault()
        first = self._orders[0]
        if not first.fits(has_calls=has_calls):
            return Fault()
        if first.after:
            self._orders[0] = first.model_copy(update={"after": first.after - 1})
            return Fault()
        self._orders.popleft()
        if first.times > 1:
            self._orders.appendleft(first.model_copy(update={"times": first.times - 1}))
        return first
