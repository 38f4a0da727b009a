"""How does an employee's own writing (draft, note) get into a conversation? Once, however often it is tried."""

from uuid import UUID, uuid5

from pydantic import JsonValue
from sqlalchemy.dialects.postgresql import insert

from app.content import seal
from app.conversations.models import Author, Message, MessageKind
from app.tools.context import Context

NAMESPACE = UUID("6f1c2f0e-7a53-4c55-9f0b-0c8a1f6f2f11")  # any fixed one: the key makes the id


async def write_once(ctx: Context, kind: MessageKind, content: JsonValue) -> UUID:
    """Write one message; a second try with the same key finds it there and changes nothing (promise 5)."""
    message_id = uuid5(NAMESPACE, ctx.idempotency_key)
    async with ctx.transaction() as session:
        await session.execute(
            insert(Message)
            .values(
                tenant_id=ctx.tenant_id,
                id=message_id,
                conversation_id=ctx.conversation_id,
                author=Author.AGENT,
                kind=kind,
                run_id=ctx.run_id,
                for_model=False,
                drawn_from_outside=ctx.drawn_from_outside,
                content_id=await seal.keep(session, content),
            )
            .on_conflict_do_nothing()
        )
    return message_id
