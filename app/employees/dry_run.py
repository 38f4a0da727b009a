"""What would have happened to the last 30 days' calls under this job sheet? Asked of `decide()`, call by call.

Each call is decided again with what was so when it was made: trial, what had been read, refusals, grants, what was
quoted. Totals and uses are counted anew along the way. What cannot be known that way is said (`Unknown`).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from app.ceilings.ceiling import Ceiling, Per
from app.ceilings.reserve import counted_amount
from app.employees.company_limits import hard_limits
from app.employees.draft import Draft
from app.employees.models import Agent
from app.employees.past_calls import MOST, PastCall, past_calls
from app.employees.versions import version_of
from app.errors import NotAllowed, NotFound
from app.identity.queries import find_company
from app.identity.roles import Member
from app.policy.decide import decide
from app.policy.decision import CeilingFact, Decision, Facts, Limits, Mode
from app.policy.offers import allowance, overrode_outside
from app.policy.words import N_
from app.tool_servers.tools import foreign_tools
from app.tools.catalogue import BUILT_IN, TOOLS
from app.tools.tool import Tool

EXAMPLES = 5


class Fate(StrEnum):
    """How a call compares."""

    LOOSENED = "loosened"
    TIGHTENED = "tightened"
    UNCHANGED = "unchanged"


class Unknown(StrEnum):
    """What a dry run cannot know."""

    OTHER_COURSE = "other_course"
    NOT_QUOTED = "not_quoted"
    NEW_TOOL = "new_tool"
    NO_RULE = "no_rule"
    ERASED = "erased"
    TOOL_GONE = "tool_gone"
    EARLIER_TOTALS = "earlier_totals"
    MORE = "more"


UNKNOWN: Mapping[Unknown, str] = {
    Unknown.OTHER_COURSE: N_("After another answer the employee might have gone another way."),
    Unknown.NOT_QUOTED: N_("An exception counts here only where the employee quoted that very sentence at the time."),
    Unknown.NEW_TOOL: N_("Nobody knows what it would have done with abilities that it did not have."),
    Unknown.NO_RULE: N_("%(count)s attempts were stopped before any rule was asked, as they would be now."),
    Unknown.ERASED: N_("%(count)s attempts cannot be looked at any more: their content was erased."),
    Unknown.TOOL_GONE: N_("%(count)s attempts used abilities that are no longer there."),
    Unknown.EARLIER_TOTALS: N_("What counted towards a ceiling before these 30 days is not in its totals here."),
    Unknown.MORE: N_("There were more attempts; only the newest were looked at."),
}


@dataclass(frozen=True)
class Example:
    """One call of which something else would have become."""

    call_id: UUID
    run_id: UUID
    tool: str
    at: datetime
    before: Mode  # never: it got a refusing result
    after: Mode
    rule: str  # the rule that would decide it


@dataclass(frozen=True)
class DryRun:
    """The whole comparison. `by_tool` counts each fate per tool; `unknown` counts, 0 where it is no count."""

    days: int
    looked_at: int
    counts: Mapping[Fate, int]
    by_tool: Mapping[str, Mapping[Fate, int]]
    examples: Mapping[Fate, tuple[Example, ...]]
    unknown: Mapping[Unknown, int]


async def dry_run(session: AsyncSession, agent_id: UUID, draft: Draft, *, by: Member) -> DryRun:
    """Decide the last 30 days' calls again under `draft`. Nothing is written. Raises NotFound, NotAllowed."""
    agent = await session.get(Agent, (by.tenant_id, agent_id))
    if agent is None:
        raise NotFound
    if not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    calls = await past_calls(session, agent_id)
    zone = ZoneInfo((await find_company(session)).time_zone)
    current = (await version_of(session, agent_id)).draft
    tools = {**TOOLS, **await foreign_tools(session, {call.tool for call in calls})}
    replayed = Replay(draft, await hard_limits(session, agent.template), zone, tools)
    told = [(call, replayed.decide(call)) for call in calls[-MOST:]]
    unknown = Counter(what for _, what in told if isinstance(what, Unknown))
    always = _always(draft, current, more=len(calls) > MOST)
    examples = [_example(call, decision) for call, decision in told if isinstance(decision, Decision)]
    fates = [(_fate(one), one) for one in examples]
    return DryRun(
        days=30,
        looked_at=len(examples),
        counts=Counter(fate for fate, _ in fates),
        by_tool={tool: Counter(f for f, one in fates if one.tool == tool) for tool in {one.tool for one in examples}},
        examples={
            wanted: tuple(one for fate, one in reversed(fates) if fate is wanted)[:EXAMPLES]
            for wanted in (Fate.LOOSENED, Fate.TIGHTENED)
        },
        unknown={**dict.fromkeys(always, 0), **unknown},
    )


@dataclass
class Replay:
    """A job sheet with its totals and uses, as calls come by in their order."""

    draft: Draft
    limits: tuple[Limits, ...]
    zone: ZoneInfo
    tools: Mapping[str, Tool]
    totals: dict[tuple[str, str, str], Decimal] = field(default_factory=dict)
    uses: Counter[tuple[str, str]] = field(default_factory=Counter)

    def decide(self, call: PastCall) -> Decision | Unknown:
        """The decision under this sheet, or why there can be none."""
        if call.decision is None:
            return Unknown.NO_RULE
        if call.tool not in self.tools:
            return Unknown.TOOL_GONE
        if call.arguments is None:
            return Unknown.ERASED
        facts = self._facts(call)
        decision = decide(facts)
        while decision.exception is not None and not self._use(decision, facts):
            modes = facts.sheet
            left = (replace(e, uses_left=0) if e.id == decision.exception else e for e in modes.exceptions)
            facts = replace(facts, sheet=replace(modes, exceptions=tuple(left)))
            decision = decide(facts)
        if call.counts and decision.refusal is None:
            self._count(call)
        has = call.tool in self.draft.listed_tools or call.tool in BUILT_IN
        return decision if has else decision.at_least(Mode.NEVER, because="job_sheet")

    def _facts(self, call: PastCall) -> Facts:
        trail = call.decision.trail if call.decision else ()
        refused = next((s.note.get("refused") for s in trail if s.rule == "refused_before"), None)
        arguments = call.arguments or {}
        return Facts(
            tool=self.tools[call.tool].view(),
            sheet=self.draft.modes(),
            limits=self.limits,
            ceilings=tuple(self._total(one, call) for one in self._own(call)),
            things=max((len(value) for value in arguments.values() if isinstance(value, list)), default=1),
            on_trial=any(step.rule == "trial" for step in trail),
            public_channel=call.visitor,
            outside_read=call.outside_read,
            refused=refused if refused in ("no", "same_target", "uncertain") else None,  # type: ignore[arg-type]  # narrowed
            person_refused=call.person_refused,
            grants=call.grants,
            arguments=arguments,
            cited=call.cited or None,
            today=call.at.astimezone(self.zone).date(),
        )

    def _own(self, call: PastCall) -> list[Ceiling]:
        return [one for one in self.draft.ceilings if call.tool in one.tools]

    def _key(self, one: Ceiling, call: PastCall) -> tuple[str, str, str]:
        whose = {Per.TARGET: call.target_mark, Per.CORRESPONDENT: call.customer_mark}.get(one.per) or ""
        place = str(self.draft.ceilings.index(one))  # a new one has no id yet
        return place, whose, one.span(call.at.astimezone(self.zone).date())

    def _total(self, one: Ceiling, call: PastCall) -> CeilingFact:
        used = self.totals.get(self._key(one, call), Decimal(0))
        return CeilingFact(one.name, one.soft, one.limit, used, counted_amount(one, call.arguments or {}), one.unit)

    def _count(self, call: PastCall) -> None:
        for one in self._own(call):
            this = counted_amount(one, call.arguments or {})
            if this.is_finite():
                key = self._key(one, call)
                self.totals[key] = self.totals.get(key, Decimal(0)) + this

    def _use(self, decision: Decision, facts: Facts) -> bool:
        exception = next(one for one in facts.sheet.exceptions if one.id == decision.exception)
        most = allowance(exception, overrides=overrode_outside(decision))
        key = (exception.id, facts.today.isoformat())
        self.uses[key] += 1
        return most is None or self.uses[key] <= most


def _example(call: PastCall, decision: Decision) -> Example:
    after = Mode.NEVER if decision.refusal is not None else decision.mode
    rule = decision.refusal or decision.because
    return Example(call.id, call.run_id, call.tool, call.at, call.mode, after, rule)


def _fate(one: Example) -> Fate:
    if one.after is one.before:
        return Fate.UNCHANGED
    return Fate.LOOSENED if one.after < one.before else Fate.TIGHTENED


def _always(draft: Draft, current: Draft, *, more: bool) -> list[Unknown]:
    """What cannot be known whatever the calls were."""
    texts = {one.text for one in current.exceptions}
    holds = {
        Unknown.OTHER_COURSE: True,
        Unknown.NOT_QUOTED: any(one.text not in texts for one in draft.exceptions),
        Unknown.NEW_TOOL: bool(set(draft.listed_tools) - set(current.listed_tools)),
        Unknown.EARLIER_TOTALS: bool(draft.ceilings),
        Unknown.MORE: more,
    }
    return [what for what, so in holds.items() if so]
