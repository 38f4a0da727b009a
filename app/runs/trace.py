"""What happened in a task, step by step? Its turns and calls with what was said, decided, done and paid."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.database.transaction import tenant_of
from app.policy.decision import Decision, Kind
from app.runs.models import ToolCall, Turn
from app.runs.queries import canonical_of
from app.runs.states import CallStatus


@dataclass(frozen=True)
class TracedCall:
    """One call, opened."""

    id: UUID
    tool: str
    kind: Kind | None
    decision: Decision
    status: CallStatus
    refused_by: str | None
    settled_by: UUID | None
    asked_for: Mapping[str, JsonValue]  # as the model sent it
    arguments: Mapping[str, JsonValue]  # as it runs; empty where it never came to that
    why: str
    result: str
    value: JsonValue
    brings_outside: bool
    made_at: datetime
    intent_at: datetime | None
    outcome_at: datetime | None


@dataclass(frozen=True)
class TracedTurn:
    """One answer of the model, opened."""

    number: int
    counted: bool
    model: str
    said: str
    made_at: datetime
    duration_ms: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost: Decimal
    calls: tuple[TracedCall, ...]


async def trace(session: AsyncSession, run_id: UUID) -> list[TracedTurn]:
    """Every turn of a task, in order; the caller has checked who reads it."""
    of_run = {"tenant_id": tenant_of(session), "run_id": run_id}
    turns = list(await session.scalars(select(Turn).filter_by(**of_run).order_by(Turn.number)))
    calls = list(await session.scalars(select(ToolCall).filter_by(**of_run).order_by(ToolCall.position)))
    wanted: list[UUID | None] = [turn.content_id for turn in turns]
    for call in calls:
        wanted += [call.arguments_id, call.result_id]
    kept = await seal.read_many(session, wanted)
    by_turn: dict[UUID, list[TracedCall]] = {}
    for call in calls:
        by_turn.setdefault(call.turn_id, []).append(_call(call, kept))
    return [_turn(turn, kept, tuple(by_turn.get(turn.id, ()))) for turn in turns]


def _turn(turn: Turn, kept: Mapping[UUID, JsonValue], calls: tuple[TracedCall, ...]) -> TracedTurn:
    return TracedTurn(
        number=turn.number,
        counted=turn.counted,
        model=turn.model,
        said=said(kept.get(turn.content_id)),
        made_at=turn.made_at,
        duration_ms=turn.duration_ms,
        input_tokens=turn.input_tokens,
        output_tokens=turn.output_tokens,
        cache_read_tokens=turn.cache_read_tokens,
        cache_write_tokens=turn.cache_write_tokens,
        cost=turn.cost_usd,
        calls=calls,
    )


def _call(call: ToolCall, kept: Mapping[UUID, JsonValue]) -> TracedCall:
    asked = _mapping(kept.get(call.arguments_id))
    result = _mapping(kept.get(call.result_id)) if call.result_id else {}
    return TracedCall(
        id=call.id,
        tool=call.tool,
        kind=call.kind,
        decision=Decision.from_json({"mode": call.mode.value if call.mode else "never", "trail": call.trail}),
        status=call.status,
        refused_by=call.refused_by,
        settled_by=call.settled_by,
        asked_for=_mapping(asked.get("model")),
        arguments=canonical_of(kept.get(call.arguments_id)),
        why=str(asked.get("why", "")),
        result=str(result.get("text", "")),
        value=result.get("value"),
        brings_outside=call.brings_outside,
        made_at=call.made_at,
        intent_at=call.intent_at,
        outcome_at=call.outcome_at,
    )


def said(content: JsonValue | None) -> str:
    """What an employee said in an answer: its text, without its calls."""
    blocks = _mapping(content).get("blocks") or []
    texts = [str(block.get("text", "")) for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n\n".join(text for text in texts if text.strip())


def _mapping(value: JsonValue | None) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}
