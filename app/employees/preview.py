""" "If you save this": what would the employee do, what changes against today, what does each exception let through?

Nothing is written. A page that edits a job sheet asks this at every change, or by a button where there is no script.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.employees.choices import ToolChoice, tool_choices
from app.employees.company_limits import hard_limits
from app.employees.draft import Difference, Draft, differences
from app.employees.models import Agent
from app.employees.valid import problems
from app.employees.versions import version_of
from app.errors import NotAllowed, NotFound
from app.identity.roles import Member
from app.policy.decision import ModeSheet, StandingException
from app.policy.explain import Change, Row, Situation, changes, explain, facts_of
from app.policy.offers import Reach, reach


@dataclass(frozen=True)
class Preview:
    """A draft beside the version in force. `reaches` has one entry per exception of the draft, a tool each."""

    version: int  # the one in force: what a draft is based on
    today: tuple[Row, ...]
    then: tuple[Row, ...]
    changes: tuple[Change, ...]
    differences: tuple[Difference, ...]
    reaches: tuple[tuple[Reach, ...], ...]
    after_trial: tuple[tuple[Reach, ...], ...]  # the same once the trial is over; empty where it is on none
    for_visitors: tuple[Row, ...]  # in public chat
    problems: dict[str, str]  # by field, as revise() would refuse it; sentences for gettext


async def preview(session: AsyncSession, agent_id: UUID, draft: Draft, *, by: Member) -> Preview:
    """What saving `draft` would mean. Raises NotFound, NotAllowed."""
    agent = await session.get(Agent, (by.tenant_id, agent_id))
    if agent is None:
        raise NotFound
    if not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    current = await version_of(session, agent_id, agent.sheet_version)
    choices, situation = await tool_choices(session, agent.template), await situation_of(session, agent)
    today, then = rows_of(current.draft, choices, situation), rows_of(draft, choices, situation)
    return Preview(
        version=current.version,
        today=today,
        then=then,
        changes=changes(today, then),
        differences=differences(current.draft, draft),
        reaches=tuple(_reaches(one, draft.modes(), choices, situation) for one in draft.exceptions),
        after_trial=tuple(
            _reaches(one, draft.modes(), choices, replace(situation, on_trial=False))
            for one in (draft.exceptions if situation.on_trial else ())
        ),
        for_visitors=rows_of(draft, choices, replace(situation, public_channel=True)),
        problems=problems(draft, choices),
    )


async def situation_of(session: AsyncSession, agent: Agent) -> Situation:
    """Where the employee stands apart from its sheet."""
    return Situation(limits=await hard_limits(session, agent.template), on_trial=agent.on_trial)


def rows_of(draft: Draft, choices: dict[str, ToolChoice], situation: Situation) -> tuple[Row, ...]:
    """The matrix of a draft: what it has, and what everybody has."""
    has = [choices[name] for name in draft.listed_tools if name in choices]
    has += [one for name, one in choices.items() if one.built_in and name not in draft.listed_tools]
    return explain(draft.modes(), [one.tool.view() for one in has], situation)


def _reaches(
    one: StandingException, modes: ModeSheet, choices: dict[str, ToolChoice], situation: Situation
) -> tuple[Reach, ...]:
    known: Sequence[ToolChoice] = [choices[name] for name in sorted(one.tools) if name in choices]
    return tuple(reach(one, facts_of(c.tool.view(), modes, situation), c.arguments) for c in known)
