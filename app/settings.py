"""Which environment variables are there, and what does each do? Nothing else reads the environment."""

from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.errors import BadConfiguration

SHORTEST_SECRET = 32


class Settings(BaseSettings):
    """Every setting, from an environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, env_ignore_empty=True)

    database_url: str = Field(
        "",
        description="PostgreSQL 15 or newer, `postgresql://host/name`. Without it an embedded one starts (demo only).",
    )
    app_secret: str = Field(
        "",
        description="At least 32 random characters; all content is sealed under it. Losing it loses the content.",
    )
    anthropic_api_key: str = Field(
        "", description="Key of the model's provider. The demo has a practice model without it."
    )
    anthropic_base_url: str = Field("", description="Another server that speaks the Anthropic Messages API.")
    placet_model: str = Field(
        "claude-sonnet-4-6", description="The model's name; it must be in the price table or priced below."
    )
    placet_model_input_usd: Decimal | None = Field(
        None, description="USD per million input tokens, for an unlisted model."
    )
    placet_model_output_usd: Decimal | None = Field(
        None, description="USD per million output tokens, for an unlisted model."
    )
    placet_model_context: int | None = Field(
        None, description="Context window in tokens, for a model that is not listed."
    )
    smtp_url: str = Field("", description="Where mail leaves: `smtp://user:password@host:587` or `smtps://…:465`.")
    placet_mail_in: str = Field(
        "", description="Where a worker takes in customers' mail by SMTP, `127.0.0.1:2525`. Without it no mail arrives."
    )
    mail_from: str = Field("placet@localhost", description="Sender of the house's own mails (reminders).")
    public_url: str = Field(
        "http://127.0.0.1:8000",
        description="The address people type; links in mails and the cookies' security follow it.",
    )
    host: str = Field("127.0.0.1", description="Address on which the web server listens.")
    port: int = Field(8000, description="Port on which the web server listens.", ge=0, le=65535)
    placet_data: Path = Field(
        Path("~/.local/share/placet"), description="Folder of the demo's data (database, shop, mailbox, secret)."
    )
    approval_reminder_minutes: int = Field(5, description="Minutes until a waiting request is recalled by mail.", ge=1)
    approval_expiry_hours: int = Field(72, description="Hours until a request that nobody answered is refused.", ge=1)
    ai_budget_usd: Decimal = Field(
        Decimal("50"), description="Monthly budget of a company for the model, in USD.", ge=0
    )
    placet_shop_url: str = Field(
        "", description="Address of the shop that the shop tools use (the demo starts its own)."
    )
    placet_shop_key: str = Field("", description="Key of that shop.")
    placet_allowed_hosts: str = Field(
        "",
        description="Private hosts that connections may reach all the same: `crm.intranet:8443, 10.0.0.5`.",
    )
    placet_local_services: str = Field(
        "",
        description=(
            "Programs of this machine that companies may add as services (MCP over stdio): "
            '`{"notes": {"command": ["/usr/bin/notes-mcp"], "key_as": "NOTES_API_KEY"}}`, added as `local:notes`. '
            "Such a program runs with the rights of Placet itself and can read what Placet can read, for every company "
            "of this installation that adds it: name only what you trust that far. `key_as` is the variable in which "
            "it gets the company's key. Empty: none may be started. Web and worker both start them."
        ),
    )
    placet_mailbox: str = Field("", description="Address of the demo's mailbox page, shown on the pages of the demo.")
    placet_env: Literal["production", "demo"] = Field(
        "production", description="Set by `placet demo` itself; everything else is production."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="How much is logged.")
    worker_runs: int = Field(16, description="How many tasks one worker works on at the same time.", ge=1, le=500)

    @field_validator("placet_data")
    @classmethod
    def _at_home(cls, value: Path) -> Path:
        return value.expanduser()

    @property
    def demo(self) -> bool:
        """Started by `placet demo`."""
        return self.placet_env == "demo"

    @cached_property
    def secure(self) -> bool:
        """People reach us over https, so cookies are for https only."""
        return self.public_url.startswith("https://")


def read_settings() -> Settings:
    """The settings of this process. Raises BadConfiguration with one line that names the variable."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "settings"
        raise BadConfiguration(f"{name}: {first['msg']}. See the table of settings in the README.") from None


def require_secret(settings: Settings) -> str:
    """APP_SECRET, or BadConfiguration: content sealed under a guessable secret would not be sealed."""
    if not settings.app_secret:
        raise BadConfiguration(
            'APP_SECRET is missing. Make one: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'
        )
    if len(settings.app_secret) < SHORTEST_SECRET:
        raise BadConfiguration(f"APP_SECRET is too short: it needs at least {SHORTEST_SECRET} random characters.")
    return settings.app_secret
