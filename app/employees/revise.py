"""How does a job sheet change? As a new version against the version that somebody looked at; nothing is overwritten.

Tasks under way use the new version at their next decision. Two people who edit at once: the first is saved, the second
is shown the first's change and still has their own.
"""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.ceilings.ceiling import Ceiling
from app.content import seal
from app.employees.choices import tool_choices
from app.employees.draft import Difference, Draft, Part, differences
from app.employees.models import Agent, JobSheet
from app.employees.valid import DraftInvalid, problems
from app.employees.versions import version_of
from app.errors import NotAllowed, NotFound, PlacetError
from app.identity.decides import name_of
from app.identity.models import Role
from app.identity.queries import members
from app.identity.roles import Member, Permission
from app.ids import new_id
from app.operations import first_time, outcome_of
from app.policy.words import N_


class ChangedMeanwhile(PlacetError):
    """%(who)s has changed this job sheet meanwhile. Look at what changed, then save again; nothing of yours is lost."""

    status = 409

    def __init__(self, who: str, version: int, theirs: tuple[Difference, ...]) -> None:
        super().__init__(who=who, version=str(version))
        self.version, self.theirs = version, theirs


async def revise(
    session: AsyncSession, agent_id: UUID, draft: Draft, *, based_on: int, by: Member, operation: UUID
) -> int:
    """Save `draft` as the next version and give back its number; the same `operation` twice is one version.

    Where nothing differs from `based_on` nothing is saved. The caller owns the transaction. Raises NotFound,
    NotAllowed, DraftInvalid (fields), ChangedMeanwhile (version, theirs).
    """
    agent = await _gate(session, agent_id, by)
    base = (await version_of(session, agent_id, based_on)).draft
    new = await _named(session, draft, base)
    changed = differences(base, new)
    await _check(session, agent, new, changed, by)
    if not changed:
        return based_on
    next_one = {"version": based_on + 1}
    if not await first_time(session, operation, "job_sheet.revise", by=by.user_id, outcome=next_one):
        return int(((await outcome_of(session, operation)) or next_one)["version"])
    return await _save(session, agent, new, changed, based_on=based_on, by=by, event=Event.JOB_SHEET_CHANGED)


async def withdraw_exception(session: AsyncSession, agent_id: UUID, exception_id: str, *, by: Member) -> int:
    """Take one exception off the sheet, with one click; gone already is fine. Gives back the version in force."""
    agent = await _gate(session, agent_id, by)
    await session.refresh(agent, with_for_update=True)  # whoever edits at this moment is told of it
    current = await version_of(session, agent_id, agent.sheet_version)
    kept = tuple(one for one in current.draft.exceptions if one.id != exception_id)
    new = replace(current.draft, exceptions=kept)
    changed = differences(current.draft, new)
    if not changed:
        return current.version
    return await _save(session, agent, new, changed, based_on=current.version, by=by, event=Event.EXCEPTION_WITHDRAWN)


async def _gate(session: AsyncSession, agent_id: UUID, by: Member) -> Agent:
    agent = await session.get(Agent, (by.tenant_id, agent_id))
    if agent is None:
        raise NotFound
    if not by.may(Permission.CHANGE_JOB_SHEET) or not by.decides_for(agent_id):
        raise NotAllowed(agent=str(agent_id))
    return agent


async def _named(session: AsyncSession, draft: Draft, base: Draft) -> Draft:
    """The draft with ids of ours: an exception keeps its own, a ceiling as long as it adds up the same."""
    now = await session.scalar(select(func.clock_timestamp()))
    exceptions = {one.id for one in base.exceptions}
    ceilings: Mapping[str, Ceiling] = {one.id: one for one in base.ceilings}

    def ceiling(one: Ceiling) -> Ceiling:
        old = ceilings.get(one.id)
        if old is not None and old.measure == one.measure:
            return replace(one, since=old.since)
        return replace(one, id=str(new_id()), since=now)

    return replace(
        draft,
        title=base.title,
        exceptions=tuple(one if one.id in exceptions else replace(one, id=str(new_id())) for one in draft.exceptions),
        ceilings=tuple(ceiling(one) for one in draft.ceilings),
    )


async def _check(session: AsyncSession, agent: Agent, new: Draft, changed: tuple[Difference, ...], by: Member) -> None:
    found = problems(new, await tool_choices(session, agent.template))
    if new.talkers - {user_id for user_id, _ in await members(session)}:
        found["talkers"] = N_("Choose colleagues of this company.")
    if found:
        raise DraftInvalid(found)
    if by.role is not Role.ADMIN and any(one.part is Part.OUTSIDE_CONTENT for one in changed):
        raise NotAllowed  # an admin's to turn off (DESIGN section 3, rule 8)


async def _save(
    session: AsyncSession,
    agent: Agent,
    new: Draft,
    changed: tuple[Difference, ...],
    *,
    based_on: int,
    by: Member,
    event: Event,
) -> int:
    """The next version, if `based_on` still is the one in force: one conditional UPDATE decides who was first."""
    won = await session.scalar(
        update(Agent)
        .where(Agent.tenant_id == by.tenant_id, Agent.id == agent.id, Agent.sheet_version == based_on)
        .values(sheet_version=based_on + 1)
        .returning(Agent.sheet_version)
        .execution_options(synchronize_session=False)
    )
    if won is None:
        raise await _meanwhile(session, agent.id, based_on)
    session.add(await _row(session, agent, new, version=won, by=by))
    await session.flush()  # the journal's line comes last
    parts = ", ".join(dict.fromkeys(f"{one.part.value}:{one.which}".rstrip(":") for one in changed))
    facts: dict[str, str | int | bool | None] = {"version": won, "changed": parts[:1000]}
    await record(session, event, by=by.user_id, about=agent.id, agent_id=agent.id, facts=facts)
    return int(won)


async def _row(session: AsyncSession, agent: Agent, new: Draft, *, version: int, by: Member) -> JobSheet:
    return JobSheet(
        tenant_id=by.tenant_id,
        id=new_id(),
        agent_id=agent.id,
        version=version,
        kinds={kind.value: mode.value for kind, mode in new.kinds.items()},
        tools={name: mode.value for name, mode in new.tools.items()},
        listed_tools=list(new.listed_tools),
        public_tools=list(new.public_tools),
        outside_content_rule=new.outside_content_rule,
        ceilings=[one.to_json() for one in new.ceilings],
        talkers=sorted(str(user_id) for user_id in new.talkers),
        words_id=await seal.keep(session, new.words()),
        made_by=by.user_id,
    )


async def _meanwhile(session: AsyncSession, agent_id: UUID, based_on: int) -> ChangedMeanwhile:
    in_force = await version_of(session, agent_id)
    before = (await version_of(session, agent_id, based_on)).draft
    who = await name_of(session, in_force.made_by) if in_force.made_by else ""
    return ChangedMeanwhile(who, in_force.version, differences(before, in_force.draft))
