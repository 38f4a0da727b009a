"""How are the exceptions and limits of a job sheet filled in, row by row?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.ceilings.ceiling import Per, Period
from app.employees.choices import ToolChoice
from app.language.speech import N_, Speech
from app.policy.decision import Comparison
from app.web.contexts.chrome import Choice, Field
from app.web.contexts.job_sheet import CeilingForm, Checks, ConditionForm, ExceptionForm
from app.web.sheet_form.typed import Typed, TypedCondition
from app.web.tell.abilities import ability
from app.web.tell.sheet_words import COMPARISONS
from app.web.tell.values import label

PERS: Mapping[Per, str] = {
    Per.ALL: N_("all together"),
    Per.TARGET: N_("each order or recipient"),
    Per.CORRESPONDENT: N_("each customer"),
}
PERIODS: Mapping[Period, str] = {Period.DAY: N_("a day"), Period.MONTH: N_("a month")}
BEYONDS = {"hard": N_("nothing is done"), "soft": N_("it asks first")}


@dataclass(frozen=True)
class Rows:
    """What all rows need: what can be chosen, what was typed, what is wrong."""

    speech: Speech
    choices: Mapping[str, ToolChoice]
    typed: Typed
    wrong: Mapping[str, str]

    def exception(self, place: int) -> ExceptionForm:
        """One exception, with one empty condition more than were filled in."""
        one, at, say = self.typed.exceptions[place], f"exceptions.{place}.", self.speech.say
        conditions = (*one.conditions, TypedCondition())
        names = {n for c in self.choices.values() if c.may_have_exceptions for n in c.arguments}
        names |= {condition.field for condition in one.conditions if condition.field}
        hint = say("One sentence. It counts only where the employee quotes it word for word.")
        return ExceptionForm(
            place=place,
            id=one.id,
            text=self._field(at + "text", say("The exception"), one.text, hint=hint),
            tools=self._checks(at, say("What it is about"), one.tools, lambda choice: choice.may_have_exceptions),
            conditions=tuple(self._condition(at, number, each, names) for number, each in enumerate(conditions)),
            ends_on=self._field(at + "ends_on", say("Last day"), one.ends_on, kind="date", required=False),
            uses_per_day=self._field(
                at + "uses_per_day", say("Times a day, at most"), one.uses_per_day, kind="number", required=False
            ),
        )

    def _condition(self, at: str, number: int, one: TypedCondition, names: set[str]) -> ConditionForm:
        at, say = f"{at}conditions.{number}.", self.speech.say
        fields = (Choice("", say("no condition")), *(Choice(n, label(self.speech, n)) for n in sorted(names)))
        comparisons = tuple(Choice(each.value, say(COMPARISONS[each])) for each in Comparison)
        return ConditionForm(
            self._field(at + "field", say("Only if"), one.field, kind="choice", choices=fields, required=False),
            self._field(
                at + "comparison", say("Comparison"), one.comparison, kind="choice", choices=comparisons, required=False
            ),
            self._field(at + "value", say("What"), one.value, required=False),
        )

    def ceiling(self, place: int) -> CeilingForm:
        """One limit."""
        one, at, say = self.typed.ceilings[place], f"ceilings.{place}.", self.speech.say
        amounts = {n for c in self.choices.values() if c.may_have_ceilings for n in c.amounts} | {one.counts} - {""}
        sums = (say("the sum of: %(what)s", {"what": label(self.speech, n)}) for n in sorted(amounts))
        counts = (Choice("", say("how often")), *map(Choice, sorted(amounts), sums))
        return CeilingForm(
            place=place,
            id=one.id,
            tools=self._checks(at, say("What is counted"), one.tools, lambda choice: choice.may_have_ceilings),
            counts=self._field(at + "counts", say("Counted is"), one.counts, kind="choice", choices=counts),
            limit=self._field(at + "limit", say("At most"), one.limit, kind="number"),
            unit=self._field(at + "unit", say("Unit of the sum"), one.unit, required=False),
            per=self._pick(at + "per", say("For"), one.per, PERS),
            period=self._pick(at + "period", say("In the time of"), one.period, PERIODS),
            beyond=self._pick(at + "beyond", say("Above it"), one.beyond, BEYONDS),
        )

    def _pick(self, name: str, text: str, value: str, words: Mapping[Any, str]) -> Field:
        choices = tuple(Choice(str(one), self.speech.say(said)) for one, said in words.items())
        return self._field(name, text, value, kind="choice", choices=choices)

    def _checks(self, at: str, legend: str, chosen: tuple[str, ...], fits: Callable[[ToolChoice], bool]) -> Checks:
        has = [name for name, choice in self.choices.items() if fits(choice) and self.typed.has(choice)]
        offered = (*has, *(name for name in chosen if name not in has))
        choices = tuple(Choice(name, ability(self.speech, name), chosen=name in chosen) for name in offered)
        return Checks(at + "tools", legend, choices, error=self.wrong.get(at + "tools", ""))

    def _field(self, name: str, text: str, value: str, **rest: object) -> Field:
        return Field(name, text, value, error=self.wrong.get(name, ""), **rest)  # type: ignore[arg-type]  # its own
