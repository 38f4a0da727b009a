"""What does a process of a real installation need before it starts? What is missing is one line, not a traceback."""

from app.budget.prices import price_of
from app.errors import BadConfiguration
from app.logs import configure
from app.settings import Settings, read_settings, require_secret


def configured() -> Settings:
    """The settings of a process that works on the database, with its logs set up."""
    settings = read_settings()
    require_secret(settings)
    if not settings.database_url:
        raise BadConfiguration(
            "DATABASE_URL is missing: the address of PostgreSQL, postgresql://user:password@host/name."
            " To look around without one: placet demo"
        )
    configure(readable=settings.demo, level=settings.log_level)
    return settings


def with_model(settings: Settings) -> Settings:
    """The same, where the model is asked too."""
    if not (settings.anthropic_api_key or settings.anthropic_base_url):
        raise BadConfiguration(
            "ANTHROPIC_API_KEY is missing: the key of the model's provider. To practise: placet demo"
        )
    price_of(settings)  # a model without a price is refused now, not at the first task
    return settings
