"""Under which key is a company's content sealed? A data key per company and month, wrapped under APP_SECRET."""

import os
from uuid import UUID

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.database.engine import derive

NONCE = 12  # bytes, NIST SP 800-38D section 8.2


class Keyring:
    """Wraps and unwraps data keys; keeps those it has unwrapped, since each content read needs one."""

    def __init__(self, app_secret: str) -> None:
        self._wrapping = AESGCM(derive(app_secret, "content wrapping key 1"))
        self._open: dict[UUID, bytes] = {}

    def wrap(self, tenant_id: UUID, key_id: UUID, key: bytes) -> bytes:
        """Seal a data key for its row: it opens for this company and this row only."""
        nonce = os.urandom(NONCE)
        return nonce + self._wrapping.encrypt(nonce, key, tenant_id.bytes + key_id.bytes)

    def unwrap(self, tenant_id: UUID, key_id: UUID, wrapped: bytes) -> bytes:
        """The data key of a row. Raises `cryptography.exceptions.InvalidTag` if APP_SECRET is another one."""
        if (known := self._open.get(key_id)) is None:
            known = self._wrapping.decrypt(wrapped[:NONCE], wrapped[NONCE:], tenant_id.bytes + key_id.bytes)
            if len(self._open) > 10_000:  # a bound on memory, not a policy: one entry is 100 bytes
                self._open.clear()
            self._open[key_id] = known
        return known
