"""Which calls went ahead because an exception was quoted? The sentence and the call side by side, to look at."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import cast as sql_cast
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import JSONPATH
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.database.transaction import tenant_of
from app.employees.models import JobSheet
from app.errors import NotAllowed
from app.identity.roles import Member
from app.runs.models import Run, ToolCall

BY_EXCEPTION = "$[*].note.exception"  # only the rule `own_words` notes one


@dataclass(frozen=True)
class Quoted:
    """One call, with the sentence as it stood on the job sheet that decided it."""

    call_id: UUID
    run_id: UUID
    conversation_id: UUID
    tool: str
    at: datetime
    arguments: Mapping[str, JsonValue]
    exception_id: str
    sentence: str


async def quoted(session: AsyncSession, agent_id: UUID, *, by: Member, most: int = 50) -> list[Quoted]:
    """The newest calls that an exception let through. Raises NotAllowed."""
    if not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    which = func.jsonb_path_exists(ToolCall.trail, sql_cast(BY_EXCEPTION, JSONPATH))
    rows = await session.execute(
        select(ToolCall, Run.conversation_id, JobSheet.words_id)
        .join(Run, (Run.tenant_id == ToolCall.tenant_id) & (Run.id == ToolCall.run_id))
        .join(JobSheet, (JobSheet.tenant_id == ToolCall.tenant_id) & (JobSheet.id == ToolCall.sheet_id))
        .where(ToolCall.tenant_id == tenant_of(session), Run.agent_id == agent_id, which)
        .order_by(ToolCall.made_at.desc())
        .limit(most)
    )
    found = rows.all()
    kept = await seal.read_many(session, [one for row in found for one in (row[0].arguments_id, row[2])])
    return [_one(row[0], row[1], kept.get(row[0].arguments_id), kept.get(row[2])) for row in found]


def _one(call: ToolCall, conversation_id: UUID, asked: JsonValue, words: JsonValue) -> Quoted:
    exception_id = next(str(step["note"]["exception"]) for step in call.trail if "exception" in step["note"])
    there = cast(list[dict[str, Any]], _object(words).get("exceptions") or [])
    sentence = next((str(one["text"]) for one in there if one["id"] == exception_id), "")
    arguments = _object(_object(asked).get("canonical"))
    return Quoted(call.id, call.run_id, conversation_id, call.tool, call.made_at, arguments, exception_id, sentence)


def _object(kept: JsonValue) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], kept) if isinstance(kept, dict) else {}
