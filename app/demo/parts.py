"""Which processes make up the demo, and with which settings does each start?"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.budget.prices import PRACTICE_MODEL
from app.demo.people import CAMILLE_MAIL
from app.demo.place import Place
from app.demo.ports import HERE, Ports
from app.demo.supervise import Part
from app.settings import Settings

PRACTICE_KEY = "practice-model"  # any key will do there; pages know by it what answers
COMMANDS = "app.cli.main"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  # recognised, not listened on
ONLY_HERE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Demo:
    """What is decided before anything starts: settings, folder, ports, secret."""

    settings: Settings
    place: Place
    ports: Ports
    app_secret: str

    @property
    def practice(self) -> bool:
        """Nobody named another model server, so the practice model answers."""
        return not (self.settings.anthropic_api_key or self.settings.anthropic_base_url)

    @property
    def own_mailbox(self) -> bool:
        """Nobody named a mail server, so mail ends in the demo's mailbox."""
        return not self.settings.smtp_url

    @property
    def public_url(self) -> str:
        """The address that people type: as set, else this machine's."""
        if "public_url" in self.settings.model_fields_set:
            return self.settings.public_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.ports.web}"

    @property
    def host(self) -> str:
        """Where the pages can be reached from this machine."""
        return HERE if self.settings.host in EVERYWHERE else self.settings.host

    @property
    def open_to_others(self) -> bool:
        """Other machines reach the pages too."""
        return self.settings.host not in ONLY_HERE


def database(demo: Demo) -> Part:
    """The embedded PostgreSQL."""
    return Part("database", "app.demo.database", (str(demo.place.data),), speaks=True)


def surroundings(demo: Demo) -> list[Part]:
    """What stands in for the world outside: shop, mailbox, practice model."""
    private, ports = demo.place.private, demo.ports
    parts = []
    if not demo.settings.placet_shop_url:
        shop = ("--database", str(private / "shop.sqlite"), "--key-file", str(private / "shop.key"))
        parts.append(Part("shop", "app.demo.shop", ("--port", str(ports.shop), *shop), port=ports.shop))
    if demo.own_mailbox:
        where = ("--port", str(ports.mailbox_page), "--smtp-port", str(ports.mailbox_smtp))
        mails = ("--database", str(private / "mailbox.sqlite"))
        parts.append(Part("mailbox", "app.demo.mailbox", (*where, *mails), port=ports.mailbox_page))
    if demo.practice:
        asked = ("practice-model", "--port", str(ports.practice))
        parts.append(Part("practice model", COMMANDS, asked, port=ports.practice))
    return parts


def placet(demo: Demo, database_url: str) -> list[Part]:
    """The product itself: web and worker, exactly as in production but for their settings."""
    environment = environment_of(demo, database_url)
    worker = Part("worker", COMMANDS, ("worker",), environment, port=demo.ports.mail_in)
    web = Part("web server", COMMANDS, ("web",), environment, port=demo.ports.web, host=demo.host)
    return [worker, web]


def environment_of(demo: Demo, database_url: str) -> Mapping[str, str]:
    """The settings that the demo chooses; what a person has set in the environment stands."""
    ports = demo.ports
    chosen = {
        "PLACET_ENV": "demo",
        "DATABASE_URL": database_url,
        "APP_SECRET": demo.app_secret,
        "PORT": str(ports.web),
        "PUBLIC_URL": demo.public_url,
        "PLACET_MAIL_IN": f"{HERE}:{ports.mail_in}",
        "MAIL_FROM": _sender(demo.settings),
    }
    if demo.own_mailbox:
        chosen["SMTP_URL"] = f"smtp://{HERE}:{ports.mailbox_smtp}"
        chosen["PLACET_MAILBOX"] = f"http://{HERE}:{ports.mailbox_page}"
    if demo.practice:
        chosen |= {"ANTHROPIC_BASE_URL": f"http://{HERE}:{ports.practice}", "ANTHROPIC_API_KEY": PRACTICE_KEY}
        chosen["PLACET_MODEL"] = PRACTICE_MODEL  # so that traces and budgets do not name a model that did not answer
    if not demo.settings.placet_shop_url:
        key = (demo.place.private / "shop.key").read_text().strip()
        chosen |= {"PLACET_SHOP_URL": f"http://{HERE}:{ports.shop}", "PLACET_SHOP_KEY": key}
    return chosen


def _sender(settings: Settings) -> str:
    """A customer who answers Camille's mail reaches her again."""
    return settings.mail_from if "mail_from" in settings.model_fields_set else CAMILLE_MAIL
