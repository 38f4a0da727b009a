"""Which conversation does a mail belong to? The one whose mail it answers, if the same person wrote; else a new one.

A reply names our mail's Message-ID (RFC 5322, 3.6.4). That id holds a random key, so it is known only to whoever got
our mail; the sender must be the conversation's own correspondent all the same, since the key decides nothing else.
"""

import re
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.conversations.models import Conversation, Mail
from app.database.transaction import tenant_of
from app.runs.models import Run, ToolCall
from app.runs.states import ENDED

OURS = re.compile(r"<([0-9a-f-]{36})@placet>")
MOST_REFERENCES = 20


async def find_thread(session: AsyncSession, agent_id: UUID, mail: dict[str, JsonValue]) -> UUID | None:
    """The conversation that `mail` goes on with, or None."""
    keys = OURS.findall(f"{mail['references']} {mail['in_reply_to']}")[-MOST_REFERENCES:]
    if not keys:
        return None
    tenant_id = tenant_of(session)
    sent = (
        select(Conversation.id)
        .join(Run, (Run.tenant_id == Conversation.tenant_id) & (Run.conversation_id == Conversation.id))
        .join(ToolCall, (ToolCall.tenant_id == Run.tenant_id) & (ToolCall.run_id == Run.id))
        .where(Conversation.tenant_id == tenant_id, Conversation.agent_id == agent_id)
        .where(ToolCall.idempotency_key.in_(keys))
        .order_by(Conversation.made_at.desc())
        .limit(1)
    )
    found = await session.scalar(sent)
    if found is None or not await _same_person(session, found, mail["from"]):
        return None
    return found


async def look_again(session: AsyncSession, conversation_id: UUID) -> None:
    """An open task of this conversation finds out anew what it is about: there is a newer mail to read."""
    await session.execute(
        update(Run)
        .where(Run.tenant_id == tenant_of(session), Run.conversation_id == conversation_id, Run.status.not_in(ENDED))
        .values(bound_id=None)
    )


async def _same_person(session: AsyncSession, conversation_id: UUID, sender: JsonValue) -> bool:
    first = (
        select(Mail.content_id)
        .where(Mail.tenant_id == tenant_of(session), Mail.conversation_id == conversation_id)
        .order_by(Mail.arrived_at)
        .limit(1)
    )
    if (content_id := await session.scalar(first)) is None:
        return False  # a person's own task: a stranger does not join it
    stored = cast(dict[str, JsonValue], await seal.read(session, content_id))
    return stored["from"] == sender
