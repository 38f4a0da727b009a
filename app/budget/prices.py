"""What does a model cost, and how much does it hold? One dated table; other models bring figures in the settings.

Source: Anthropic's published price list ("Pricing" and "Models overview" in its documentation), as known on PRICES_OF.
Cache writes cost 1.25 times the input price (5 minutes), cache reads 0.1 times ("Prompt caching").
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from app.errors import BadConfiguration
from app.settings import Settings

PRICES_OF = date(2026, 5, 31)
MILLION = Decimal(1_000_000)
CACHE_WRITE, CACHE_READ = Decimal("1.25"), Decimal("0.1")
PRACTICE_MODEL = "practice-model"  # priced like a real one, so that budgets can be tried


@dataclass(frozen=True)
class Price:
    """USD per million tokens, and the context window in tokens."""

    input: Decimal
    output: Decimal
    context: int


@dataclass(frozen=True)
class Tokens:
    """What a model call used, as the API returns it."""

    input: int
    output: int
    cache_read: int = 0
    cache_write: int = 0


PRICES: dict[str, Price] = {
    "claude-opus-4-7": Price(Decimal(5), Decimal(25), 1_000_000),
    "claude-opus-4-6": Price(Decimal(5), Decimal(25), 1_000_000),
    "claude-opus-4-5": Price(Decimal(5), Decimal(25), 200_000),
    "claude-sonnet-4-6": Price(Decimal(3), Decimal(15), 1_000_000),
    "claude-haiku-4-5": Price(Decimal(1), Decimal(5), 200_000),
}


def price_of(settings: Settings) -> Price:
    """The figures of the chosen model. Raises BadConfiguration: an unpriced model is refused, not free (case 16)."""
    given = (settings.placet_model_input_usd, settings.placet_model_output_usd, settings.placet_model_context)
    if given[0] is not None and given[1] is not None and given[2] is not None:
        return Price(given[0], given[1], given[2])
    name = settings.placet_model
    if (known := PRICES.get(name)) is not None:
        return known
    if name.startswith("practice-"):
        return PRICES["claude-sonnet-4-6"]
    raise BadConfiguration(
        f"PLACET_MODEL {name} is not in the price table: give PLACET_MODEL_INPUT_USD, PLACET_MODEL_OUTPUT_USD and "
        "PLACET_MODEL_CONTEXT."
    )


def cost(price: Price, used: Tokens) -> Decimal:
    """What a model call cost, in USD."""
    reading = used.input + used.cache_write * CACHE_WRITE + used.cache_read * CACHE_READ
    return (reading * price.input + used.output * price.output) / MILLION


def bound(price: Price, input_tokens: int, max_tokens: int) -> Decimal:
    """What it can cost at most: all input at the dearest price that can apply, all output (RELIABILITY B6)."""
    return (input_tokens * price.input * CACHE_WRITE + max_tokens * price.output) / MILLION
