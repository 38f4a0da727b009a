"""How is a password kept? As an Argon2id hash (RFC 9106); the word itself is nowhere."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.errors import PlacetError

SHORTEST = 12
LONGEST = 200  # hashing a novel would be somebody's way to keep us busy
_HASHER = PasswordHasher()  # the library's defaults follow RFC 9106's second recommendation


class PasswordUnsuitable(PlacetError):
    """A password needs 12 to 200 characters."""

    status = 422


def hash_password(password: str) -> str:
    """What is stored instead of `password`."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise PasswordUnsuitable
    return _HASHER.hash(password)


def matches(password: str, kept: str) -> bool:
    """Whether `password` is the one behind the hash `kept`."""
    try:
        return len(password) <= LONGEST and _HASHER.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
