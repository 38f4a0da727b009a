"""What is a run about? Fixed by us before the model is asked, from the mail's sender or a person's own words.

The model cannot aim elsewhere (bound arguments). What a third party's text names is never enough: an order that a
mail names counts only if the shop says that it belongs to the address the mail came from.
"""

import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from pydantic import JsonValue
from sqlalchemy import select

from app.connections.queries import secrets_of
from app.content import seal
from app.conversations.models import Author, ConversationKind, Mail, Message
from app.errors import OutcomeUnknown, ToolError
from app.runs.breakpoints import reach
from app.runs.claim import Lease
from app.runs.house import House
from app.runs.situation import look
from app.tools.context import Context
from app.tools.shop import client

log = logging.getLogger(__name__)
ORDER = re.compile(r"\b[A-Z]{2,4}-\d{3,10}\b", re.IGNORECASE)

About = dict[str, JsonValue]


async def bind(lease: Lease, house: House) -> None:
    """Find out what the run is about and keep it. The shop out of reach: nothing is bound, and tools say so."""
    async with lease.step() as (session, run):
        situation = await look(session, run)
        about: About = {}
        text = ""
        if situation.conversation.kind is ConversationKind.MAIL:
            mail = (
                await session.scalars(
                    select(Mail)
                    .where(Mail.tenant_id == lease.tenant_id, Mail.conversation_id == run.conversation_id)
                    .order_by(Mail.arrived_at.desc())
                    .limit(1)
                )
            ).one()
            stored = cast(dict[str, Any], await seal.read(session, mail.content_id))
            about = {"mail": str(mail.id), "correspondent": stored["from"], "message_id": stored["message_id"]}
            text = f"{stored['subject']}\n{stored['body']}"
        else:
            said = await session.scalars(
                select(Message.content_id)
                .where(
                    Message.tenant_id == lease.tenant_id,
                    Message.conversation_id == run.conversation_id,
                    Message.author == Author.PERSON,
                )
                .order_by(Message.made_at)
            )
            content = await seal.read_many(session, list(said))
            text = "\n".join(str(cast(dict[str, Any], value)["text"]) for value in content.values())
        context = _asking(lease, house, situation.agent.name, await secrets_of(session, house.secrets))
    about |= await _order(context, about.get("correspondent"), text)
    await reach("before_bound")
    async with lease.step() as (session, run):
        run.bound_id = await seal.keep(session, about)


async def _order(ctx: Context, sender: JsonValue, text: str) -> About:
    """The one order that is meant: named in the text (the sender's, where a third party wrote), or their only one."""
    named = list(dict.fromkeys(number.upper() for number in ORDER.findall(text)))[:5]
    try:
        if isinstance(sender, str):
            theirs = {str(order["order"]): order for order in await client.orders_of(ctx, sender)}
            meant = [number for number in named if number in theirs] or (list(theirs) if not named else [])
            return {"order": meant[0]} if len(meant) == 1 else {}
        if len(named) != 1 or (found := await client.order(ctx, named[0])) is None:
            return {}
        return {"order": named[0], "correspondent": found["customer_email"], "message_id": ""}
    except (ToolError, OutcomeUnknown, KeyError) as error:
        log.warning("nothing_bound", extra={"run": str(ctx.run_id), "error": type(error).__name__})
        return {}


def _asking(lease: Lease, house: House, name: str, secrets: Mapping[str, str]) -> Context:
    """A context that only reads: no key, nobody's effect."""
    return Context(
        tenant_id=lease.tenant_id,
        agent_id=lease.run_id,
        agent_name=name,
        run_id=lease.run_id,
        conversation_id=lease.run_id,
        about={},
        idempotency_key="",
        drawn_from_outside=False,
        now=datetime.now(UTC),
        transaction=lambda: lease.database.tenant(lease.tenant_id),
        http=house.http,
        mail=house.mail,
        secrets=secrets,
    )
