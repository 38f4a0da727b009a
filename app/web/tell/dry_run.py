"""How is it told what would have happened to the last 30 days?"""

from collections.abc import Mapping

from app.employees.dry_run import UNKNOWN, DryRun, Example, Fate
from app.language.speech import N_, Speech
from app.language.words import rule_sentence
from app.policy.words import REFUSALS
from app.web.contexts.job_sheet import Bar, DryRunPart, ExampleLine
from app.web.tell.abilities import ability

FATES: Mapping[Fate, str] = {
    Fate.LOOSENED: N_("Freer than it was"),
    Fate.TIGHTENED: N_("Stricter than it was"),
    Fate.UNCHANGED: N_("As it was"),
}
UNKNOWABLE = N_("Cannot be known")


def dry_run_part(speech: Speech, told: DryRun) -> DryRunPart:
    """Figures as bars, examples, and what nobody can know."""
    unknowable = sum(told.unknown.values())
    most = max(*(told.counts.get(fate, 0) for fate in Fate), unknowable, 1)
    bars = [_bar(speech, fate, told.counts.get(fate, 0), most) for fate in Fate]
    bars.append(Bar(speech.say(UNKNOWABLE), unknowable, unknowable * 1000 // most, "calm"))
    found = [one for fate in (Fate.LOOSENED, Fate.TIGHTENED) for one in told.examples.get(fate, ())]
    return DryRunPart(
        looked_at=told.looked_at,
        bars=tuple(bars),
        examples=tuple(_example(speech, one) for one in found),
        unknown=tuple(
            speech.say(UNKNOWN[what], {"count": speech.number(count)}) for what, count in told.unknown.items()
        ),
    )


def _bar(speech: Speech, fate: Fate, count: int, most: int) -> Bar:
    tone = "wait" if fate is Fate.LOOSENED else "good" if fate is Fate.TIGHTENED else "calm"
    return Bar(speech.say(FATES[fate]), count, count * 1000 // most, tone)  # type: ignore[arg-type]  # one of the three


def _example(speech: Speech, one: Example) -> ExampleLine:
    why = rule_sentence(speech, one.rule) if one.rule not in REFUSALS else speech.say(REFUSALS[one.rule])
    return ExampleLine(ability(speech, one.tool), one.at, f"/tasks/{one.run_id}", one.before, one.after, why)
