"""How much of an answer is read? Never more than the bound, packed or unpacked, and what is missing is said."""

import zlib
from typing import Final, Protocol

import httpx2

GZIP: Final = zlib.MAX_WBITS | 16


class _Unpacker(Protocol):
    def unpack(self, piece: bytes, room: int) -> bytes: ...


class _Plain:
    def unpack(self, piece: bytes, room: int) -> bytes:
        return piece


class _Gzip:
    """Unpacks no more than there is room for: a small packed body can hold a thousand times its size."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(GZIP)

    def unpack(self, piece: bytes, room: int) -> bytes:
        return b"" if self._stream.eof else self._stream.decompress(piece, room)


def too_long(limit: int) -> str:
    """The sentence about an answer that was cut."""
    size = f"{limit / 1024 / 1024:g} MiB" if limit >= 1024 * 1024 else f"{limit} bytes"
    return f"The answer was longer than {size}; the rest was not read."


async def read_bounded(response: httpx2.Response, limit: int) -> tuple[bytes, str]:
    """At most `limit` bytes of the body, and a sentence about what is missing, or an empty one."""
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("identity", "gzip", "x-gzip"):
        return b"", "The answer came packed in a way that cannot be read here."
    unpacker: _Unpacker = _Plain() if packing == "identity" else _Gzip()
    kept, received = bytearray(), 0
    async for piece in response.aiter_raw():
        received += len(piece)
        try:
            kept += unpacker.unpack(piece, limit + 1 - len(kept))
        except zlib.error:
            return bytes(kept), "The answer is damaged; the rest could not be read."
        if len(kept) > limit or received > limit:  # packed bytes too: an endless body may unpack to nothing
            return bytes(kept[:limit]), too_long(limit)
    return bytes(kept), ""
