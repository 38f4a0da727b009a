"""How do the first three mails reach Camille? As any customer's: by SMTP, at the worker's door.

They are sent at every start with the same date and Message-ID: what arrived before is recognised and ignored.
"""

from datetime import datetime
from email.utils import format_datetime

import aiosmtplib

from app.demo.mails import STARTING_MAILS
from app.demo.ports import HERE


async def deliver_first_mails(port: int, written_at: datetime) -> None:
    """Each is kept when this returns. Raises aiosmtplib.SMTPException where one was not."""
    async with aiosmtplib.SMTP(hostname=HERE, port=port, use_tls=False, start_tls=False) as sender:
        for make in STARTING_MAILS:
            mail = make()
            mail["Date"] = format_datetime(written_at)
            await sender.send_message(mail)
