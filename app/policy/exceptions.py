"""What may a person's own words soften? Sentences on the job sheet, and "always in this conversation"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from app.policy.conditions import FIXING, all_met, is_absent, names_addresses, other_recipients, same, value_at
from app.policy.decision import Facts, GrantView, Json, StandingException, ToolView

USES_PER_DAY = 10  # of an exception that holds after outside content, if the manager names no number
QUOTES = str.maketrans(dict.fromkeys("“”„‟«»‹›″＂", '"') | dict.fromkeys("‘’‚‛`´′＇", "'"))

GUILLEMETS = re.compile(r"«\s*|\s*»")  # French sets a space inside its quotation marks, English none


def normalise(text: str) -> str:
    """One spelling for a quoted sentence: Unicode, case, white space and quotation marks, nothing looser."""
    plain = unicodedata.normalize("NFKC", GUILLEMETS.sub('"', text).translate(QUOTES)).casefold()
    plain = " ".join(unicodedata.normalize("NFKC", plain).translate(QUOTES).split())
    return plain


def cited(text: str | None, exceptions: Sequence[StandingException]) -> tuple[StandingException, ...]:
    """The exceptions whose sentence was quoted word for word; an empty quotation cites nothing."""
    wanted = normalise(text or "")
    return tuple(one for one in exceptions if wanted and normalise(one.text) == wanted)


def shortcoming(exception: StandingException, facts: Facts) -> str | None:
    """Why a cited exception does not hold for this call, in one word; `None` if it holds."""
    if facts.tool.name not in exception.tools:
        return "other_tool"
    if exception.ends_on is not None and facts.today > exception.ends_on:
        return "ended"
    if exception.uses_left is not None and exception.uses_left <= 0:
        return "used_up"
    if not all_met(exception.conditions, facts.tool, facts.arguments):
        return "conditions"
    return None


def within(grant: GrantView, facts: Facts) -> bool:
    """Whether a call is what the grant was given for: this tool, and each argument that its scope fixes."""
    return grant.tool == facts.tool.name and all(
        same(value_at(facts.arguments, path), value)
        or (is_absent(value) and is_absent(value_at(facts.arguments, path)))
        for path, value in grant.scope.items()
    )


def narrow_scope(tool: ToolView, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """The narrow "always": every argument that says where the effect goes, as it is in this call."""
    return {name: value_at(arguments, name) for name in sorted(aims(tool, arguments) | tool.bound & arguments.keys())}


def aims(tool: ToolView, arguments: Mapping[str, Json]) -> frozenset[str]:
    """The arguments that the model aims with. Where nobody declared them, all of them count."""
    if declared(tool):
        return tool.targets - tool.bound
    return frozenset(arguments) - tool.bound


def declared(tool: ToolView) -> bool:
    """Whether we know where this tool's effects go."""
    return not tool.foreign and bool(tool.targets or tool.bound)


def exception_overrides_outside(exception: StandingException, facts: Facts) -> bool:
    """Whether a sentence that holds may stand against outside content: it fixes where, and no free text leaves."""
    fixing = [condition for condition in exception.conditions if condition.comparison in FIXING]
    fixed = {condition.field for condition in fixing}
    if any(names_addresses(condition) for condition in fixing):
        own = {condition.field for condition in exception.conditions}
        fixed.update(other_recipients(facts.tool, facts.arguments, own))  # they met the same condition
    return _overrides(frozenset(fixed), facts, said=bool(exception.conditions))


def grant_overrides_outside(grant: GrantView, facts: Facts) -> bool:
    """The same for "always in this conversation": its scope must fix where the effect goes."""
    return _overrides(frozenset(grant.scope), facts, said=bool(grant.scope))


def _overrides(fixed: frozenset[str], facts: Facts, *, said: bool) -> bool:
    """Whether nothing that matters is left to the model; `said` is whether the person fixed anything at all.

    Bound arguments were fixed by us. An argument that is absent aims nowhere. A tool of which nobody knows
    where it goes is not made safe by leaving everything out, so there all arguments count and one must be fixed.
    """
    tool, arguments = facts.tool, facts.arguments
    free = {name for name, value in arguments.items() if not is_absent(value)} - tool.bound - fixed
    if not declared(tool):
        return bool(fixed & arguments.keys()) and not free
    if not said:
        return bool(tool.bound) and not free
    return bool(tool.bound or tool.targets & fixed) and not free & (tool.targets | tool.leaves)
