"""Which mails has the demo sent, and how often did each arrive? One row per arrival, in one SQLite file."""

import email
import email.policy
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from pathlib import Path

from app.demo.one_file import make_file, open_file

SCHEMA = """
CREATE TABLE IF NOT EXISTS mails (
  id INTEGER PRIMARY KEY, message_id TEXT NOT NULL, recipients TEXT NOT NULL, raw BLOB NOT NULL,
  received_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS mails_by_message_id ON mails (message_id);
CREATE VIEW IF NOT EXISTS counted AS
  SELECT *, CASE message_id WHEN '' THEN 1
    ELSE (SELECT count(*) FROM mails AS other WHERE other.message_id = mails.message_id) END AS times
  FROM mails;
"""
NEWEST = """
SELECT * FROM counted WHERE id IN (
  SELECT min(id) FROM mails GROUP BY CASE message_id WHEN '' THEN id ELSE message_id END
) ORDER BY id DESC LIMIT 500
"""


@dataclass(frozen=True)
class Mail:
    """One mail as people read it; `times` says how often a mail with its Message-ID arrived."""

    number: int
    message_id: str
    sender: str
    to: str
    recipients: tuple[str, ...]
    subject: str
    body: str
    received_at: str
    times: int


class Mailbox:
    """The mails in one file; safe to use from several threads and processes."""

    def __init__(self, file: Path) -> None:
        self._file = file
        make_file(file, SCHEMA)

    def keep(self, raw: bytes, recipients: list[str]) -> None:
        """Keep one arrival. When this returns, it is on the disk."""
        message_id = _header(email.message_from_bytes(raw), "Message-ID")
        row = (message_id, "\n".join(recipients), raw, datetime.now(UTC).isoformat(timespec="milliseconds"))
        with open_file(self._file) as connection:
            connection.execute("INSERT INTO mails (message_id, recipients, raw, received_at) VALUES (?, ?, ?, ?)", row)

    def mails(self) -> list[Mail]:
        """The newest mails, each Message-ID once, newest first."""
        with open_file(self._file) as connection:
            return [_as_mail(row) for row in connection.execute(NEWEST)]

    def mail(self, number: int) -> Mail | None:
        """One mail, or None if there is none of this number."""
        with open_file(self._file) as connection:
            row = connection.execute("SELECT * FROM counted WHERE id = ?", (number,)).fetchone()
        return _as_mail(row) if row else None

    def times(self, message_id: str) -> int:
        """How often a mail with this Message-ID arrived."""
        with open_file(self._file) as connection:
            row = connection.execute("SELECT count(*) FROM mails WHERE message_id = ?", (message_id,)).fetchone()
            return int(row[0])


def _as_mail(row: sqlite3.Row) -> Mail:
    headers = email.message_from_bytes(row["raw"])
    return Mail(
        number=row["id"],
        message_id=row["message_id"],
        sender=_header(headers, "From"),
        to=_header(headers, "To"),
        recipients=tuple(row["recipients"].split("\n")),
        subject=_header(headers, "Subject"),
        body=_text(row["raw"]),
        received_at=row["received_at"],
        times=row["times"],
    )


def _header(message: "Message[str, str]", name: str) -> str:
    """A header in letters people read; as it came if it is not well formed."""
    value = str(message.get(name, ""))
    with suppress(LookupError, ValueError, MessageError):  # an unknown charset, a broken encoded word
        value = str(make_header(decode_header(value)))
    return " ".join(value.split())


def _text(raw: bytes) -> str:
    """The plain text of the mail; the source of its HTML if there is nothing else."""
    message = email.message_from_bytes(raw, _class=EmailMessage, policy=email.policy.default)
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return ""
    try:
        return str(part.get_content()).replace("\r\n", "\n")
    except (LookupError, ValueError):
        payload = part.get_payload(decode=True)
        return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
