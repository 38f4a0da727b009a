"""How is a decision said to people? The English sentence of each rule, mode and kind; pages translate them.

Rules, modes and notes are stored as identifiers. Whoever shows them passes the sentence found here through
gettext and fills in the facts: `_(said.sentence) % said.facts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.policy.decision import Kind, Mode, Step


def N_(sentence: str) -> str:
    """Mark a sentence for translation where it is written, and leave it as it is."""
    return sentence


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence before translation, with what is to be filled in after it."""

    sentence: str
    facts: Mapping[str, str]


MODES: Mapping[Mode, str] = {
    Mode.DO: N_("does it"),
    Mode.TELL: N_("does it and reports"),
    Mode.ASK: N_("asks first"),
    Mode.NEVER: N_("cannot do it"),
}

KINDS: Mapping[Kind, str] = {
    Kind.READ: N_("reads"),
    Kind.ORGANIZE: N_("files and sorts"),
    Kind.DRAFT: N_("prepares"),
    Kind.ACT: N_("acts outside"),
    Kind.DELETE: N_("deletes"),
}

RULES: Mapping[str, str] = {
    "default": N_("This is usual for this kind of work."),
    "job_sheet": N_("The job sheet says so."),
    "limits": N_("A fixed limit of the company or of this kind of employee."),
    "ceiling": N_("A ceiling would be passed."),
    "unreviewed": N_("No administrator has looked at this ability yet."),
    "trial": N_("The employee is on trial."),
    "channel": N_("A visitor in the public chat sees only what is open or theirs."),
    "outside_content": N_("The employee has read something that came from outside the company."),
    "refused_before": N_("A person said no to this before."),
    "own_words": N_("A person allowed it in their own words."),
}

# (rule, key of the note, its value): the sentence that says more than the rule alone; "*" fills the value in.
NOTES: Mapping[tuple[str, str, str], str] = {
    ("job_sheet", "wanted", "*"): N_("The job sheet is looser, but deleting always asks first."),
    ("job_sheet", "by", "tool"): N_("The job sheet says so for exactly this."),
    ("job_sheet", "by", "kind"): N_("The job sheet says so for this kind of work."),
    ("ceiling", "things", "*"): N_("It would change %(things)s things at once; more than 10 are asked about."),
    ("ceiling", "over", ""): N_("The amount cannot be counted towards the ceiling “%(ceiling)s”."),
    ("ceiling", "over", "*"): N_("The ceiling “%(ceiling)s” would be passed by %(over)s %(unit)s."),
    ("unreviewed", "changed", "yes"): N_("This ability has changed since an administrator looked at it."),
    ("outside_content", "reach", "outside"): N_(
        "The employee has read something from outside, and looking this up would send words out of the company."
    ),
    ("refused_before", "refused", "no"): N_("A person said no to exactly this in the same task."),
    ("refused_before", "refused", "same_target"): N_("A person said no to something else with the same target."),
    ("refused_before", "refused", "uncertain"): N_("It is not known whether the same thing has already happened."),
    ("own_words", "grant", "*"): N_("A person said “always in this conversation”."),
    ("own_words", "exception", "*"): N_("The employee quoted an exception of the job sheet."),
    ("own_words", "cited", "unknown"): N_("The employee quoted an exception that is not on the job sheet."),
    ("own_words", "cited", "other_tool"): N_("The quoted exception is about something else."),
    ("own_words", "cited", "ended"): N_("The quoted exception has ended."),
    ("own_words", "cited", "used_up"): N_("The quoted exception has been used as often as it may be today."),
    ("own_words", "cited", "conditions"): N_("The conditions of the quoted exception are not met."),
    ("own_words", "cited", "outside_content"): N_(
        "The quoted exception does not count after reading something from outside: it leaves open where this goes, "
        "or what is written."
    ),
    ("own_words", "held_by", "delete"): N_("No exception counts for deleting."),
    ("own_words", "held_by", "limits"): N_("No exception counts against a fixed limit."),
    ("own_words", "held_by", "ceiling"): N_("No exception counts above a ceiling."),
    ("own_words", "held_by", "unreviewed"): N_(
        "No exception counts until an administrator has looked at this ability."
    ),
    ("own_words", "held_by", "trial"): N_("No exception counts during the trial."),
    ("own_words", "held_by", "refused_before"): N_(
        "A person said no in this task, so exceptions no longer count in it."
    ),
}

REFUSALS: Mapping[str, str] = {
    "ceiling": N_("This was not done: a ceiling that holds for everybody would be passed."),
    "refused_before": N_("This was not done: a person said no to exactly this in the same task."),
}


def said(step: Step) -> Said:
    """The sentence of one step; where its note says more than the rule does, the note's."""
    for rule, key, value in NOTES:
        if rule == step.rule and key in step.note and value in (step.note[key], "*"):
            return Said(NOTES[rule, key, value], step.note)
    return Said(RULES[step.rule], step.note)
