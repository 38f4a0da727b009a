"""What becomes of a mail that arrives? One conversation and one task, once; robots' mails start nothing (fault E4)."""

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.content import seal
from app.conversations.headers import body_of, header, one_line
from app.conversations.models import Author, Conversation, ConversationKind, Mail, Message, MessageKind
from app.conversations.say import TITLE, start_run
from app.conversations.thread import find_thread, look_again
from app.database.transaction import Database, tenant_of
from app.ids import new_id
from app.runs.breakpoints import reach
from app.runs.models import Origin
from app.runs.told import ANOTHER_MAIL, MAIL_ARRIVED

LONGEST_BODY = 100_000  # characters that are kept as text; the mail as it came is kept whole


async def arrive(database: Database, raw: bytes, *, to: str) -> bool:
    """Take in one mail for the employee with the address `to`; False if nobody has it.

    When it returns the mail is committed (or known already), so the sender's server may forget it.
    """
    address = one_line(parseaddr(to)[1]).lower()
    async with database.unbound() as session:
        door = await session.execute(
            text("SELECT tenant_id, agent_id FROM door_mailbox(:address)"), {"address": address}
        )
        found = door.first()
    if found is None:
        return False
    mail = BytesParser(policy=policy.default).parsebytes(raw)
    if by_a_robot(mail):
        return True
    async with database.tenant(found.tenant_id) as session:
        await _take_in(session, found.agent_id, read(mail, raw))
        await reach("mail_before_kept")
    await reach("mail_kept")
    return True


def by_a_robot(mail: EmailMessage) -> bool:
    """Auto-replies, bounces and list mail: answering them could go round for ever (RFC 3834, RFC 2919, RFC 3464)."""
    auto = header(mail, "Auto-Submitted", "no").split(";")[0].strip().lower()
    precedence = header(mail, "Precedence").lower()
    nobody = parseaddr(header(mail, "From"))[1] == "" or header(mail, "Return-Path", "x") == "<>"
    return auto != "no" or precedence in ("bulk", "list", "junk") or "List-Id" in mail or nobody


def read(mail: EmailMessage, raw: bytes) -> dict[str, JsonValue]:
    """What is kept of a mail; all of it is somebody else's words."""
    name, sender = parseaddr(header(mail, "From"))
    return {
        "from": sender.lower(),
        "from_name": name,
        "to": header(mail, "To"),
        "subject": header(mail, "Subject"),
        "date": header(mail, "Date"),
        "body": body_of(mail, raw)[:LONGEST_BODY],
        "message_id": header(mail, "Message-ID"),
        "references": header(mail, "References"),
        "in_reply_to": header(mail, "In-Reply-To"),
        "raw": raw.decode("utf-8", "replace"),
    }


async def _take_in(session: AsyncSession, agent_id: UUID, mail: dict[str, JsonValue]) -> None:
    tenant_id, mail_id = tenant_of(session), new_id()
    thread = await find_thread(session, agent_id, mail)
    conversation_id = thread or await _begin(session, agent_id, mail)
    mark = await seal.mark(session, [mail["message_id"], mail["from"], mail["subject"], mail["body"]])
    content_id = await seal.keep(session, mail)
    new = insert(Mail).values(
        tenant_id=tenant_id, id=mail_id, mark=mark, conversation_id=conversation_id, content_id=content_id
    )
    if await session.scalar(new.on_conflict_do_nothing().returning(Mail.id)) is None:
        await session.rollback()  # the same mail again: one task, not two
        return
    for author, kind, words, for_model in (
        (Author.OUTSIDE, MessageKind.MAIL, {"mail_id": str(mail_id)}, False),
        (Author.PLACET, MessageKind.SAID, {"text": ANOTHER_MAIL if thread else MAIL_ARRIVED}, True),
    ):
        session.add(
            Message(
                tenant_id=tenant_id,
                id=new_id(),
                conversation_id=conversation_id,
                author=author,
                kind=kind,
                for_model=for_model,
                drawn_from_outside=author is Author.OUTSIDE,
                content_id=await seal.keep(session, dict(words)),
            )
        )
    await look_again(session, conversation_id)
    await start_run(session, tenant_id, agent_id, conversation_id, Origin.TRIGGER, None)
    await session.flush()
    await record(session, Event.MAIL_ARRIVED, about=conversation_id, agent_id=agent_id)


async def _begin(session: AsyncSession, agent_id: UUID, mail: dict[str, JsonValue]) -> UUID:
    """A conversation of its own, with the subject as its title."""
    conversation = Conversation(
        tenant_id=tenant_of(session),
        id=new_id(),
        agent_id=agent_id,
        kind=ConversationKind.MAIL,
        title_id=await seal.keep(session, str(mail["subject"])[:TITLE] or str(mail["from"])),
    )
    session.add(conversation)
    await session.flush()  # the mail refers to it
    return conversation.id
