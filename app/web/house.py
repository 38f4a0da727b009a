"""What does every handler share? Settings, the way to the database, the templates: made once, never changed."""

import hashlib
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

from jinja2 import Environment
from starlette.requests import Request

from app.database.engine import DatabaseRole, role_url
from app.database.listen import hear
from app.database.transaction import Database
from app.language.templates import make_templates
from app.settings import Settings
from app.tools.http import Http
from app.tools.way_out import way_out
from app.web.live import CHANNEL, Live
from app.web.reveal import reveal, reveal_address

STATIC = Path(__file__).resolve().parents[2] / "static"
PRACTICE_KEY = "practice-model"  # the key under which the demo reaches its practice model (app/demo/parts.py)


@dataclass(frozen=True)
class House:
    """The shared things of one web process."""

    settings: Settings
    database: Database
    templates: Environment
    live: Live
    http: Http  # the way out to services that the company connects
    version: str  # of the static files: a changed one has another address

    @property
    def practice(self) -> bool:
        """Does a script answer in place of a model? Every page says so."""
        key, url = self.settings.anthropic_api_key, self.settings.anthropic_base_url
        return self.settings.demo and (key == PRACTICE_KEY or not (key or url))

    @property
    def mailbox(self) -> str | None:
        """Where the demo shows the mails that left; None outside of it."""
        return self.settings.placet_mailbox or None


def make_house(settings: Settings) -> House:
    """Connects to nothing yet."""
    url = role_url(settings.database_url, DatabaseRole.WEB, settings.app_secret)
    templates = make_templates({"reveal": reveal, "reveal_address": reveal_address})
    database = Database(url, settings.app_secret)
    return House(
        settings, database, templates, Live(database, partial(hear, url, CHANNEL)), way_out(settings), _version()
    )


def house_of(request: Request) -> House:
    """The house of the process that answers."""
    return cast(House, request.app.state.house)


def _version() -> str:
    digest = hashlib.sha256()
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
