""" "If you save this": how is it said what the employee would do then, and what each exception lets through?"""

from collections.abc import Iterable, Mapping, Sequence

from app.employees.draft import Difference, Draft, Part
from app.employees.preview import Preview
from app.language.speech import N_, Speech
from app.language.words import kind_word, mode_word
from app.policy.decide import DEFAULT
from app.policy.decision import Kind, Mode
from app.policy.explain import Change, Moment, said_once
from app.policy.offers import Reach
from app.policy.words import NOTES, RULES
from app.web.contexts.job_sheet import ChangeLine, InWords, PreviewPart
from app.web.tell.abilities import ability, in_a_list
from app.web.tell.sheet_changes import difference_lines
from app.web.tell.values import label
from app.web.visit import Visit

MOMENTS: Mapping[Moment, str] = {
    Moment.START: N_("As a task starts"),
    Moment.AFTER_OUTSIDE: N_("After reading text from outside"),
}
ALWAYS = N_("Always")
IN_THE_MATRIX = (Part.KIND, Part.TOOL, Part.LISTED)


async def preview_part(visit: Visit, told: Preview, draft: Draft) -> PreviewPart:
    """The part of the page that follows what one types."""
    speech = visit.speech
    rest = [one for one in told.differences if one.part not in IN_THE_MATRIX and not _unfinished(one)]
    then = [
        in_words(speech, speech.say(MOMENTS[Moment.START]), ((row.tool, row.mode) for row in told.then)),
        in_words(
            speech,
            speech.say(MOMENTS[Moment.AFTER_OUTSIDE]),
            ((row.tool, row.mode_after_outside) for row in told.then),
        ),
    ]
    if open_rows := [row for row in told.for_visitors if row.mode is not Mode.NEVER]:
        then.append(
            in_words(speech, speech.say("For visitors of the public chat"), ((row.tool, row.mode) for row in open_rows))
        )
    return PreviewPart(
        changes=change_lines(speech, told.changes),
        differences=await difference_lines(visit, rest),
        then=tuple(then),
        reaches=tuple(_sentences(speech, told, place) for place in range(len(told.reaches))),
        usual=tuple((kind.value, _usual(speech, kind, draft)) for kind in Kind),
        new=bool(told.differences),
    )


def _usual(speech: Speech, kind: Kind, draft: Draft) -> str:
    """What a thing of this kind does that has no mode of its own."""
    mode = max(draft.kinds.get(kind, DEFAULT[kind]), Mode.ASK if kind is Kind.DELETE else Mode.DO)
    facts = {"kind": kind_word(speech, kind), "mode": mode_word(speech, mode)}
    return speech.say("%(mode)s, as all that %(kind)s", facts)


def _unfinished(one: Difference) -> bool:
    """A row in which somebody is still writing: its fields say what is missing."""
    row = one.after if isinstance(one.after, dict) else None
    return row is not None and (not row["tools"] or row.get("limit") == "NaN" or row.get("text") == "")


def in_words(speech: Speech, title: str, rows: Iterable[tuple[str, Mode]]) -> InWords:
    """Grouped by what happens, from the freest."""
    found = list(rows)
    modes = ((mode, tuple(in_a_list(speech, tool) for tool, its in found if its is mode)) for mode in Mode)
    return InWords(title, tuple((mode, what) for mode, what in modes if what))


def change_lines(speech: Speech, changes: Sequence[Change]) -> tuple[ChangeLine, ...]:
    """What is the same at both moments is said once."""
    return tuple(
        ChangeLine(ability(speech, one.tool), speech.say(MOMENTS[moment] if moment else ALWAYS), one.before, one.after)
        for one, moment in said_once(changes)
    )


def _sentences(speech: Speech, told: Preview, place: int) -> tuple[str, ...]:
    """What holds now; during a trial also what will hold after it, where that is something else."""
    now = [reach_sentence(speech, one) for one in told.reaches[place]]
    later = [reach_sentence(speech, one) for one in told.after_trial[place]] if told.after_trial else []
    after = [speech.say("Once the trial is over: %(what)s", {"what": one}) for one in later if one not in now]
    return (*now, *after)


def reach_sentence(speech: Speech, one: Reach) -> str:
    """What an exception will let through for one thing, and what not."""
    facts = {"what": ability(speech, one.tool)}
    if one.held_by is not None and not one.as_it_starts:
        why = NOTES.get(("own_words", "held_by", one.held_by)) or RULES[one.held_by]
        return speech.say("%(what)s: the exception changes nothing. %(why)s", {**facts, "why": speech.say(why)})
    if not one.needed:
        return speech.say("%(what)s: it does this without asking anyway.", facts)
    facts["uses"] = _uses(speech, one.uses_per_day)
    if one.after_outside:
        said = speech.say("%(what)s: goes ahead without asking, also after reading text from outside.", facts)
    else:
        facts["why"] = _why_not_after(speech, one)
        said = speech.say(
            "%(what)s: goes ahead without asking as long as nothing from outside was read. "
            "After reading a mail it still asks: %(why)s",
            facts,
        )
    return " ".join(part for part in (said, facts["uses"]) if part)


def _uses(speech: Speech, most: int | None) -> str:
    return "" if most is None else speech.count("At most once a day.", "At most %(number)s times a day.", most)


def _why_not_after(speech: Speech, one: Reach) -> str:
    if one.free_text:
        return speech.say("the employee writes this itself: %(fields)s.", {"fields": _labels(speech, one.free_text)})
    if one.open_targets:
        left_open = {"fields": _labels(speech, one.open_targets)}
        return speech.say("the exception leaves open: %(fields)s.", left_open)
    return speech.say("the exception says nothing about where it goes.")


def _labels(speech: Speech, names: Iterable[str]) -> str:
    return ", ".join(label(speech, name) for name in sorted(names))
