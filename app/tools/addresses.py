"""Where may nothing ever connect to? Addresses, names and ways of writing them, judged without any network.

Python's `is_global` alone is not enough: it calls public what leads to private places (an IPv4 address inside NAT64,
6to4 or Teredo) and what clouds keep for their machines' own secrets. So IPv6 is allowed only where it is known to be
public, and an address counts only in the one notation that everybody reads alike.
"""

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

import idna

from app.errors import ToolError

Address = IPv4Address | IPv6Address
LONGEST_URL: Final = 4096
LONGEST_NAME: Final = 253
DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class Refused(ToolError):
    """The guard said no. Nothing was sent there."""


def _table(rows: dict[str, str]) -> tuple[tuple[IPv4Network | IPv6Network, str], ...]:
    return tuple((ip_network(network), reason) for network, reason in rows.items())


# What no setting opens. Some of these look public or private; in a cloud they answer with the machine's credentials.
NEVER: Final = _table(
    {
        "169.254.0.0/16": "a link-local address, where clouds keep a machine's credentials",
        "168.63.129.16/32": "a cloud's metadata server",
        "100.100.100.200/32": "a cloud's metadata server",
        "192.0.0.192/32": "a cloud's metadata server",
        "fd00:ec2::/32": "a cloud's metadata server",
        "fd20:ce::/32": "a cloud's metadata server",
        "0.0.0.0/8": "not an address of any machine",
        "::/128": "not an address of any machine",
        "224.0.0.0/4": "a multicast address",
        "ff00::/8": "a multicast address",
        "240.0.0.0/4": "a reserved address",
        "fe80::/10": "a link-local address",
        "fec0::/10": "a site-local address",
    }
)

# What an operator can open, by naming the host.
HOUSE: Final = _table(
    {
        "127.0.0.0/8": "this machine itself",
        "::1/128": "this machine itself",
        "10.0.0.0/8": "a private address",
        "172.16.0.0/12": "a private address",
        "192.168.0.0/16": "a private address",
        "100.64.0.0/10": "a provider's private address",
        "fc00::/7": "a private address",
    }
)

SPECIAL: Final = _table(
    {
        "192.0.0.0/24": "an address for protocols, not for machines",
        "192.0.2.0/24": "an address for examples only",
        "198.51.100.0/24": "an address for examples only",
        "203.0.113.0/24": "an address for examples only",
        "198.18.0.0/15": "an address for measurements only",
        "192.88.99.0/24": "an address of tunnels",
        "192.31.196.0/24": "an address for protocols, not for machines",
        "192.52.193.0/24": "an address for protocols, not for machines",
        "192.175.48.0/24": "an address for protocols, not for machines",
        "161.26.0.0/16": "a cloud's internal service",
        "166.8.0.0/14": "a cloud's internal service",
        "2001::/23": "an address of tunnels or protocols",
        "2001:db8::/32": "an address for examples only",
        "2002::/16": "an address of tunnels",
        "2620:4f:8000::/48": "an address for protocols, not for machines",
        "3fff::/20": "an address for examples only",
    }
)

NAT64: Final = IPv6Network("64:ff9b::/96")
PUBLIC_IPV6: Final = IPv6Network("2000::/3")

# Endings that mean a place in somebody's own network, or no place at all.
HOUSE_ENDINGS: Final = frozenset(
    [
        "localhost",
        "local",
        "localdomain",
        "internal",
        "intranet",
        "private",
        "corp",
        "home",
        "lan",
        "svc",
        "consul",
        "arpa",
        "onion",
        "invalid",
    ]
)


def refuse_reason(ip: Address | str) -> str | None:
    """Why nothing may connect to this address, or None where it is known to be public."""
    if isinstance(ip, str):
        try:
            ip = ip_address(ip)
        except ValueError:
            return "not an address"
    if reason := _listed(ip, NEVER) or _listed(ip, HOUSE) or _listed(ip, SPECIAL):
        return reason
    if isinstance(ip, IPv4Address):
        return None if ip.is_global else "not a public address"
    if ip.scope_id is not None:
        return "an address that holds on one cable only"
    if ip in NAT64:  # networks without IPv4 reach every IPv4 site this way, so what is inside decides
        return refuse_reason(IPv4Address(int(ip) & 0xFFFFFFFF))
    if ip not in PUBLIC_IPV6:  # ::a.b.c.d, ::ffff:a.b.c.d, local NAT64 and whatever nobody has given out yet
        return "not a public address"
    return None if ip.is_global else "not a public address"


def refuse_in_house(ip: Address | str) -> str | None:
    """The same for a host that the operator named: addresses of the house may be reached, the rest stays refused."""
    if isinstance(ip, str):
        try:
            ip = ip_address(ip)
        except ValueError:
            return "not an address"
    return _listed(ip, NEVER) or (None if _listed(ip, HOUSE) else refuse_reason(ip))


def _listed(ip: Address, table: tuple[tuple[IPv4Network | IPv6Network, str], ...]) -> str | None:
    return next((reason for network, reason in table if ip.version == network.version and ip in network), None)


def refuse_name(host: str) -> str | None:
    """Why a name (as `normal_host` writes it) is not one of the public internet, whatever it resolves to."""
    if _as_address(host) is not None:
        return None
    labels = host.split(".")
    if len(labels) == 1:
        return "a name without a domain, which only a private network knows"
    return "a name of a private network" if labels[-1] in HOUSE_ENDINGS else None


LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
NUMBER_LIKE: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")  # inet_aton and browsers read an address into these
DOTTED_QUAD: Final = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
IPV6: Final = re.compile(r"[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")


def normal_host(written: str) -> str:
    """A host in the one form that every reader understands alike. Raises Refused for any other way of writing it."""
    if IPV6.fullmatch(written):
        try:
            return IPv6Address(written).compressed
        except AddressValueError:
            raise Refused(f"{written!r} is not an address.") from None
    host = _ascii(written)
    name = host.removesuffix(".")
    labels = name.split(".")
    if len(name) > LONGEST_NAME or not all(LABEL.fullmatch(label) for label in labels):
        raise Refused(f"{written!r} is not the name of a host.")
    if NUMBER_LIKE.fullmatch(labels[-1]):
        return _dotted_quad(written, host)
    return name


def _dotted_quad(written: str, host: str) -> str:
    try:
        if DOTTED_QUAD.fullmatch(host):
            return str(IPv4Address(host))
    except AddressValueError:
        pass
    raise Refused(f"{written!r} is an unusual way of writing an address; write it with four plain numbers.")


def _ascii(written: str) -> str:
    """Lower case, international names in their ASCII form; characters that only look like others are refused."""
    composed = unicodedata.normalize("NFC", written)
    if composed != unicodedata.normalize("NFKC", written) or "\u3002" in composed:
        raise Refused(f"{written!r} is written with characters that stand for others.")
    if composed.isascii():
        return composed.lower()
    try:
        return idna.encode(composed.lower(), std3_rules=True).decode("ascii")
    except idna.IDNAError:
        raise Refused(f"{written!r} is not the name of a host.") from None


def _as_address(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Target:
    """A web address taken apart once: what is checked, connected to and sent comes from here."""

    scheme: str
    host: str
    port: int
    rest: str  # path, query

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.rest}"


WEB: Final = re.compile(r"(https?)://([^/?#]+)([/?][^#]*)?(?:#.*)?", re.IGNORECASE)
BRACKETED: Final = re.compile(r"\[([^\[\]]*)\](?::([0-9]{0,5}))?")
PLAIN: Final = re.compile(r"([^:\[\]]+)(?::([0-9]{0,5}))?")


def parse_target(url: str) -> Target:
    """Take a web address apart, or raise Refused where two readers could understand it differently."""
    shown = repr(url[:200])
    if len(url) > LONGEST_URL:
        raise Refused(f"The address {shown}… is too long.")
    if "\\" in url or any(c.isspace() or unicodedata.category(c)[0] in "CZ" for c in url):
        raise Refused(f"The address {shown} contains a character that no address contains.")
    found = WEB.fullmatch(url)
    if found is None:
        raise Refused(f"{shown} is not an address that can be opened; it has to start with https:// or http://.")
    scheme, authority, rest = found[1].lower(), found[2], found[3] or "/"
    if "@" in authority or "%" in authority:
        raise Refused(f"The address {shown} hides where it leads; write the host's name alone.")
    parts = BRACKETED.fullmatch(authority) or PLAIN.fullmatch(authority)
    if parts is None or (authority.startswith("[") and not IPV6.fullmatch(parts[1])):
        raise Refused(f"The address {shown} names no host.")
    port = int(parts[2]) if parts[2] else DEFAULT_PORTS[scheme]
    if not 0 < port <= 65535:
        raise Refused(f"The address {shown} names a port that does not exist.")
    return Target(scheme, normal_host(parts[1]), port, rest if rest.startswith("/") else f"/{rest}")
