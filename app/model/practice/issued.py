"""Did this assistant block come from us, exactly so? Ids and signatures carry a proof, so a restart forgets nothing.

Only blocks before a call are under its proof: what came after it may honestly be missing (a half-written call is
dropped by the caller), what came before it may not.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence

from pydantic import JsonValue

# Not a secret: it finds slips of our own code. Nothing is protected by it, and it has to be the same after a restart.
_KEY = b"placet practice model"
_PREFIX = "toolu_pr"
_RANDOM = 12
_PROOF = 24


def _proof(*parts: JsonValue) -> str:
    told = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hmac.new(_KEY, told.encode(), hashlib.sha256).hexdigest()[:_PROOF]


def tool_use_id(before: Sequence[JsonValue], name: str, arguments: JsonValue) -> str:
    """A new id that holds the call's name, its arguments and the blocks of the answer before it."""
    chance = secrets.token_hex(_RANDOM // 2)
    return f"{_PREFIX}{chance}{_proof(chance, list(before), name, arguments)}"


def is_ours(call_id: str) -> bool:
    """True for an id of this shape; a caller's own ids are nobody's business here, as with the real API."""
    return call_id.startswith(_PREFIX) and len(call_id) == len(_PREFIX) + _RANDOM + _PROOF


def came_back_as_it_was(call_id: str, before: Sequence[JsonValue], name: str, arguments: JsonValue) -> bool:
    """True when an id of ours still fits what it stands on."""
    chance = call_id[len(_PREFIX) : len(_PREFIX) + _RANDOM]
    return hmac.compare_digest(call_id[-_PROOF:], _proof(chance, list(before), name, arguments))


def signature(thinking: str) -> str:
    """The signature of a thinking block."""
    return f"EqPractice{_proof(thinking)}"


def is_signed(thinking: str, given: str) -> bool:
    """True when the thinking is the one that was signed."""
    return hmac.compare_digest(given.encode(), signature(thinking).encode())
