"""How do we speak to one person? In their language, with their clock, their dates and their amounts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from gettext import NullTranslations
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_currency, format_decimal
from babel.units import format_unit

from app.language.catalogue import translations
from app.language.elide import elide

MINUTE, HOUR, DAY = 60, 3600, 86400
LEAST = 0.1  # seconds: what is shorter is told as "less than"
LENGTHS = {"minute": MINUTE, "hour": HOUR, "day": DAY}
DEFAULT_ZONE = "Europe/Paris"


@dataclass(frozen=True)
class Speech:
    """A language and a time zone, and what can be said in them."""

    language: str
    zone: str = DEFAULT_ZONE
    _words: NullTranslations = field(init=False, repr=False, compare=False)
    _locale: Locale = field(init=False, repr=False, compare=False)
    _zone: ZoneInfo = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_words", translations(self.language))
        object.__setattr__(self, "_locale", Locale.parse(self.language))
        object.__setattr__(self, "_zone", ZoneInfo(self.zone if is_zone(self.zone) else DEFAULT_ZONE))

    def say(self, sentence: str, facts: Mapping[str, object] | None = None) -> str:
        """A sentence of ours in this language, with its facts filled in."""
        said = self._words.gettext(sentence) if sentence else ""
        return self.fitted(said, facts) % facts if facts is not None else said

    def count(self, one: str, many: str, number: int, facts: Mapping[str, object] | None = None) -> str:
        """A sentence that depends on a number, in the form that the language has for it."""
        known = {"number": self.number(number), **(facts or {})}
        return self.fitted(self._words.ngettext(one, many, number), known) % known

    def fitted(self, said: str, facts: Mapping[str, object]) -> str:
        """A sentence in this language, made to fit the facts that will be filled in."""
        return elide(said, facts) if self.language == "fr" else said

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The form alone, for templates that fill in the facts themselves."""
        return self._words.ngettext(one, many, number)

    def money(self, amount: Decimal, currency: str) -> str:
        """An amount with its currency."""
        return format_currency(amount, currency, locale=self._locale)

    def cost(self, amount: Decimal, currency: str) -> str:
        """What the AI cost: often less than a cent, so with four places below one."""
        places = "0.0000" if 0 < amount < 1 else "0.00"
        pattern = self._locale.currency_formats["standard"].pattern.replace("0.00", places)
        return format_currency(amount, currency, pattern, locale=self._locale, currency_digits=False)

    def written_amount(self, value: Decimal) -> str:
        """An amount as somebody would type it into a field: nothing between its thousands."""
        return format_decimal(value, "0.00", locale=self._locale)

    def number(self, value: int) -> str:
        """A count, with its thousands set apart."""
        return format_decimal(value, locale=self._locale)

    def when(self, moment: datetime, *, now: datetime | None = None) -> str:
        """A moment as people say it: "today 14:02", "Tue 1 Dec, 14:02"."""
        there, today = moment.astimezone(self._zone), (now or datetime.now(UTC)).astimezone(self._zone)
        time = format_time(there, "short" if self.language != "en" else "HH:mm", locale=self._locale)
        days = (today.date() - there.date()).days
        if days in NEAR_DAYS:
            return self.say(NEAR_DAYS[days]) % {"time": time}
        pattern = "E d MMM" if there.year == today.year else "d MMM y"
        return f"{format_date(there.date(), pattern, locale=self._locale)}, {time}"

    def day(self, day: date) -> str:
        """A day without a time: "Mon 23 Nov", with its year where it is another one."""
        pattern = "E d MMM" if day.year == datetime.now(self._zone).year else "d MMM y"
        return format_date(day, pattern, locale=self._locale)

    def left(self, until: datetime, *, now: datetime | None = None) -> str:
        """How long it is until then: "3 days", "40 hours"; never less than a minute.

        Rounded down, but for what is nearly whole: 71 hours and 59 minutes are 3 days, not 2.
        """
        seconds = max((until - (now or datetime.now(UTC))).total_seconds(), MINUTE)
        for unit, least, nearly in (("day", 2 * DAY, 4 * HOUR), ("hour", HOUR, 5 * MINUTE)):
            if seconds + nearly >= least:
                return self._length(int((seconds + nearly) // LENGTHS[unit]), unit)
        return self._length(int(seconds // MINUTE), "minute")

    def duration(self, seconds: float) -> str:
        """How long something took: "1.2 s", "3 min"."""
        if seconds < MINUTE:
            digits = "0.0" if seconds < 10 else "0"
            figure = format_decimal(round(max(seconds, LEAST), 1), digits, locale=self._locale)
            return f"< {figure} s" if seconds < LEAST else f"{figure} s"
        unit = "day" if seconds >= 2 * DAY else "hour" if seconds >= 2 * HOUR else "minute"
        return self._length(round(seconds / LENGTHS[unit]), unit)

    def day_start(self, now: datetime | None = None) -> datetime:
        """When today began here."""
        return (now or datetime.now(UTC)).astimezone(self._zone).replace(hour=0, minute=0, second=0, microsecond=0)

    def month_start(self, now: datetime | None = None) -> datetime:
        """When this month began here."""
        return self.day_start(now).replace(day=1)

    def _length(self, number: int, unit: str) -> str:
        return format_unit(number, f"duration-{unit}", "long" if unit != "minute" else "short", locale=self._locale)


def is_zone(name: str | None) -> bool:
    """Is it a time zone of the IANA database?"""
    return name in _zones()


@cache
def _zones() -> frozenset[str]:
    """Looked up once: the standard library opens every file of the database for an answer."""
    return frozenset(available_timezones())


def N_(sentence: str) -> str:
    """Mark a sentence for translation where it is written, and leave it as it is."""
    return sentence


NEAR_DAYS = {0: N_("today %(time)s"), 1: N_("yesterday %(time)s"), -1: N_("tomorrow %(time)s")}
