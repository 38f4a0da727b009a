"""How are things named? By UUIDv7 (RFC 9562, 5.7): sortable by time, never used as a token."""

import os
import time
from uuid import UUID


def new_id() -> UUID:
    """A fresh UUIDv7: 48 bits of milliseconds since 1970, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    value = milliseconds << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)
