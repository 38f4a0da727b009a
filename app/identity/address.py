"""What is an e-mail address that somebody may be known by?"""

from app.errors import PlacetError


class AddressUnsuitable(PlacetError):
    """That is not an e-mail address."""

    status = 422


def require_address(written: str) -> str:
    """The address without blanks around it. Raises AddressUnsuitable."""
    address = written.strip()
    local, _, host = address.rpartition("@")
    if not local or not host or any(character.isspace() for character in address):
        raise AddressUnsuitable
    return address
