"""Which services can a company connect, and what has to be entered for each? One list that one reads."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from app.connections.mail import try_mail
from app.policy.words import N_
from app.tools.context import Outgoing
from app.tools.shop.client import try_out as try_shop

TOOL_SERVERS = "tool_server"  # their keys are kept beside the others, under the server's name


@dataclass(frozen=True)
class Field:
    """One thing to enter. A secret one is never shown again."""

    name: str  # as tools ask for it: `ctx.secret(name)`
    label: str
    secret: bool = True
    kind: Literal["web", "service", "mail", "text"] = "web"  # of what is no secret: what has to be written there


@dataclass(frozen=True)
class Connector:
    """A service, and how to find out whether what was entered works: None, or the sentence that says what is wrong."""

    id: str
    title: str
    fields: tuple[Field, ...]
    try_out: Callable[[Outgoing, Mapping[str, str]], Awaitable[str | None]]


SHOP = Connector(
    "shop",
    N_("Shop"),
    (Field("shop_url", N_("Address of the shop"), secret=False), Field("shop_key", N_("Key of the shop"))),
    try_shop,
)
MAIL = Connector(
    "mail",
    N_("Outgoing mail"),
    (
        Field("mail_service", N_("Mail service, like smtp.example.com:465"), secret=False, kind="service"),
        Field("mail_from", N_("Address that mails come from"), secret=False, kind="mail"),
        Field("mail_user", N_("Name to sign in with"), secret=False, kind="text"),
        Field("mail_password", N_("Password")),
    ),
    try_mail,
)
ALL = (SHOP, MAIL)
CONNECTORS: dict[str, Connector] = {connector.id: connector for connector in ALL}
