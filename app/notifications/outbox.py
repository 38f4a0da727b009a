"""How does a mail of the house leave? As a row in the deciding transaction, then by a sweep, at least once (G16)."""

import logging
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import cast
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.content import seal
from app.database.transaction import Database, tenant_of
from app.errors import OutcomeUnknown, ToolError
from app.identity.models import Tenant, User
from app.ids import new_id
from app.notifications.models import OutboxMail, OutboxStatus
from app.notifications.words import write
from app.runs.breakpoints import reach
from app.settings import Settings
from app.tools.context import PostOffice

log = logging.getLogger(__name__)
LONGEST_PAUSE = 3600  # seconds between two tries
MOST_TRIES = 80  # three days at that pace: then a person looks


async def put(session: AsyncSession, name: str, user_id: UUID, *, about: UUID | None, facts: dict[str, str]) -> None:
    """Write one mail of the house, in the person's language. It leaves after the commit, or not at all."""
    language = select(func.coalesce(User.language, Tenant.language), User.email).join(
        Tenant, Tenant.id == tenant_of(session)
    )
    row = (await session.execute(language.where(User.id == user_id))).one()
    subject, text = write(name, row[0], facts)
    content: JsonValue = {"to": row.email, "subject": subject, "text": text, "html": ""}
    session.add(
        OutboxMail(
            tenant_id=tenant_of(session),
            id=new_id(),
            name=name,
            user_id=user_id,
            about=about,
            message_id=make_msgid(domain="placet"),
            content_id=await seal.keep(session, content),
        )
    )
    await session.flush()


async def send(database: Database, tenant_id: UUID, mail_id: UUID, post: PostOffice, settings: Settings) -> None:
    """Try one mail. The claim pushes its next time away first, so that two workers do not send it together."""
    async with database.tenant(tenant_id) as session:
        row = await session.scalar(
            update(OutboxMail)
            .where(OutboxMail.tenant_id == tenant_id, OutboxMail.id == mail_id)
            .where(OutboxMail.status == OutboxStatus.WAITING, OutboxMail.due_at <= func.clock_timestamp())
            .values(
                attempts=OutboxMail.attempts + 1,
                due_at=func.clock_timestamp()
                + func.make_interval(
                    0, 0, 0, 0, 0, 0, func.least(LONGEST_PAUSE, func.power(2, OutboxMail.attempts) * 15)
                ),
            )
            .returning(OutboxMail)
            .execution_options(synchronize_session=False)
        )
        if row is None:
            return
        content = cast(dict[str, str], await seal.read(session, row.content_id))
        mail = _mail(content, row, settings)
    await reach("house_mail_claimed")
    status, code = OutboxStatus.SENT, None
    try:
        await post.send(mail)
    except (ToolError, OutcomeUnknown) as error:  # the house's own mail may come twice, under one Message-ID
        code = type(error).__name__
        status = OutboxStatus.DEAD if row.attempts >= MOST_TRIES else OutboxStatus.WAITING
        log.warning("house_mail_waits", extra={"mail": str(mail_id), "attempts": row.attempts})
    await reach("house_mail_sent")
    async with database.tenant(tenant_id) as session:
        sent_at = func.clock_timestamp() if status is OutboxStatus.SENT else None
        await session.execute(
            update(OutboxMail)
            .where(OutboxMail.tenant_id == tenant_id, OutboxMail.id == mail_id)
            .values(status=status, last_code=code, sent_at=sent_at)
        )
    await reach("house_mail_noted")


def _mail(content: dict[str, str], row: OutboxMail, settings: Settings) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = f"Placet <{settings.mail_from}>"
    mail["To"] = content["to"]
    mail["Subject"] = content["subject"]
    mail["Date"] = format_datetime(row.made_at)
    mail["Message-ID"] = row.message_id
    mail["Auto-Submitted"] = "auto-generated"  # RFC 3834
    mail.set_content(content["text"])
    return mail
