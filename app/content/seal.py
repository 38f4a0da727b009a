"""How is content kept and read? Sealed with AES-256-GCM, bound to its company and its row (RFC 5116).

Whoever reads the database without APP_SECRET reads nothing here, and a row copied into another company's
does not open. Hashes of content are content (RELIABILITY B20), so they are HMACs under a key of the company.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Iterable
from uuid import UUID

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.content.models import Content, DataKey
from app.database.keyring import NONCE
from app.database.transaction import keyring_of, tenant_of
from app.ids import new_id

MARKS = "marks"
LASTING = "lasting"  # what is kept until it is removed: no month's end destroys its key
THIS_MONTH = func.to_char(func.clock_timestamp(), "YYYY-MM")
KEYS = "data_keys"  # of a transaction: those that were there when it first needed one


async def keep(session: AsyncSession, value: JsonValue) -> UUID:
    """Seal `value` for the bound company; gives back the id under which `read` finds it."""
    key_id, key = await _key(session, None)
    content_id, nonce = new_id(), os.urandom(NONCE)
    aad = tenant_of(session).bytes + content_id.bytes
    sealed = nonce + AESGCM(key).encrypt(nonce, canonical(value), aad)
    await session.execute(
        insert(Content).values(tenant_id=tenant_of(session), id=content_id, key_id=key_id, sealed=sealed)
    )
    return content_id


async def read(session: AsyncSession, content_id: UUID) -> JsonValue:
    """What was kept under `content_id`. Raises KeyError if it is not there (erased, or another company's)."""
    return (await read_many(session, [content_id]))[content_id]


async def read_many(session: AsyncSession, ids: Iterable[UUID | None]) -> dict[UUID, JsonValue]:
    """What was kept under each of `ids`; what is erased or unknown is missing from the answer."""
    wanted = {content_id for content_id in ids if content_id is not None}
    if not wanted:
        return {}
    rows = await session.execute(
        select(Content.id, Content.sealed, DataKey.id, DataKey.wrapped)
        .join(DataKey, (DataKey.tenant_id == Content.tenant_id) & (DataKey.id == Content.key_id))
        .where(Content.tenant_id == tenant_of(session), Content.id.in_(wanted))
    )
    return {row[0]: _open(session, row[0], row[1], row[2], row[3]) for row in rows}


async def seal_row(session: AsyncSession, row_id: UUID, value: JsonValue) -> bytes:
    """Seal `value` for a column of the row with this id: it opens in this row of this company and nowhere else."""
    _, key = await _key(session, LASTING)
    nonce = os.urandom(NONCE)
    return nonce + AESGCM(key).encrypt(nonce, canonical(value), tenant_of(session).bytes + row_id.bytes)


async def open_row(session: AsyncSession, row_id: UUID, sealed: bytes) -> JsonValue:
    """What `seal_row` sealed. Raises `cryptography.exceptions.InvalidTag` if it is another row's."""
    _, key = await _key(session, LASTING)
    aad = tenant_of(session).bytes + row_id.bytes
    value: JsonValue = json.loads(AESGCM(key).decrypt(sealed[:NONCE], sealed[NONCE:], aad))
    return value


async def mark(session: AsyncSession, value: JsonValue) -> str:
    """A keyed hash of `value`: equal values of one company have equal marks, and nobody can guess from it."""
    _, key = await _key(session, MARKS)
    return hmac.new(key, canonical(value), hashlib.sha256).hexdigest()


def canonical(value: JsonValue) -> bytes:
    """The one spelling of a JSON value: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _open(session: AsyncSession, content_id: UUID, sealed: bytes, key_id: UUID, wrapped: bytes) -> JsonValue:
    tenant_id = tenant_of(session)
    key = keyring_of(session).unwrap(tenant_id, key_id, wrapped)
    value: JsonValue = json.loads(
        AESGCM(key).decrypt(sealed[:NONCE], sealed[NONCE:], tenant_id.bytes + content_id.bytes)
    )
    return value


async def _key(session: AsyncSession, period: str | None) -> tuple[UUID, bytes]:
    """The company's key for this month (by the database's clock) or for `period`; made when first needed."""
    if (known := session.info.get(KEYS)) is None:
        known = session.info[KEYS] = await _kept_keys(session)
    key_id, wrapped = known.get(period) or await _make(session, period)
    return key_id, keyring_of(session).unwrap(tenant_of(session), key_id, wrapped)


async def _kept_keys(session: AsyncSession) -> dict[str | None, tuple[UUID, bytes]]:
    """All that a transaction may seal with, since most need several. None: this month's."""
    this_month = DataKey.period == THIS_MONTH
    rows = await session.execute(
        select(DataKey.period, this_month, DataKey.id, DataKey.wrapped)
        .where(DataKey.tenant_id == tenant_of(session))
        .where(this_month | DataKey.period.in_((MARKS, LASTING)))
    )
    return {None if is_month else period: (key_id, wrapped) for period, is_month, key_id, wrapped in rows}


async def _make(session: AsyncSession, period: str | None) -> tuple[UUID, bytes]:
    """A new key. The transaction does not remember it: it may be undone to a savepoint, and be needed again."""
    tenant_id, key_id, named = tenant_of(session), new_id(), THIS_MONTH if period is None else period
    wrapped = keyring_of(session).wrap(tenant_id, key_id, os.urandom(32))
    made = insert(DataKey).values(tenant_id=tenant_id, id=key_id, period=named, wrapped=wrapped)
    await session.execute(made.on_conflict_do_nothing())  # two first writers at once: both use the winner's
    winner = select(DataKey.id, DataKey.wrapped).where(DataKey.tenant_id == tenant_id, DataKey.period == named)
    found_id, found = (await session.execute(winner)).one()
    return found_id, found
