"""Whom does a person want to hire? What they chose is checked field by field, shown as a matrix, and hired once."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from app.employees.choices import tool_choices
from app.employees.company_limits import hard_limits
from app.employees.draft import Draft
from app.employees.hire import hire
from app.employees.preview import rows_of
from app.employees.queries import id_of
from app.employees.templates import TEMPLATES
from app.employees.trial import EndsInThePast, end_of
from app.employees.valid import problems
from app.errors import NotFound, PlacetError
from app.identity.queries import who_can_manage
from app.identity.roles import Member, Permission
from app.ids import new_id
from app.operations import first_time, outcome_of
from app.policy.explain import Row, Situation
from app.policy.words import N_

LONGEST_NAME = 60  # characters


@dataclass(frozen=True)
class Wish:
    """An employee as somebody would like it; `trial_until` None: until they say so."""

    template: str
    name: str
    mission: str
    managers: tuple[UUID, ...]
    trial_until: date | None


class WishInvalid(PlacetError):
    """Please look at the marked fields."""

    status = 422

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__()
        self.fields = fields


async def look(session: AsyncSession, wish: Wish, *, by: Member) -> tuple[Row, ...]:
    """What would it do, on trial, if it were hired so? Raises NotAllowed, NotFound, WishInvalid; writes nothing."""
    by.require(Permission.HIRE)
    if wish.template not in TEMPLATES:
        raise NotFound
    if wrong := {field: sentence async for field, sentence in _problems(session, wish)}:
        raise WishInvalid(wrong)
    return await matrix_of(session, wish.template)


async def matrix_of(session: AsyncSession, template_id: str) -> tuple[Row, ...]:
    """What an employee of this template does on trial."""
    draft, choices = _draft(template_id, ""), await tool_choices(session, template_id)
    return rows_of(draft, choices, Situation(limits=await hard_limits(session, template_id), on_trial=True))


async def hire_wished(session: AsyncSession, wish: Wish, *, by: Member, language: str, operation: UUID) -> UUID:
    """Hire it. The same `operation` twice is one employee. Raises as `look` does."""
    by.require(Permission.HIRE)
    if done := await outcome_of(session, operation):  # before anything is checked: its name is taken now, by itself
        return UUID(done["agent"])
    await look(session, wish, by=by)
    agent_id = new_id()
    if not await first_time(session, operation, "employee.hire", by=by.user_id, outcome={"agent": str(agent_id)}):
        return UUID((await outcome_of(session, operation) or {})["agent"])
    await hire(
        session,
        wish.template,
        name=wish.name.strip(),
        by=by.user_id,
        managers=wish.managers,
        language=language,
        mission=wish.mission.strip(),
        trial_until=wish.trial_until,
        agent_id=agent_id,
    )
    return agent_id


async def _problems(session: AsyncSession, wish: Wish) -> AsyncIterator[tuple[str, str]]:
    name = wish.name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        yield "name", N_("Give it a name of one line, at most 60 characters.")
    elif await id_of(session, name) is not None:
        yield "name", N_("Somebody of this name works here already. Choose another one.")
    choices = await tool_choices(session, wish.template)
    if sentence := problems(_draft(wish.template, wish.mission), choices).get("mission"):
        yield "mission", sentence
    possible = {user_id for user_id, _ in await who_can_manage(session)}
    if not wish.managers or not set(wish.managers) <= possible:
        yield "managers", N_("Choose at least one person who manages it and is asked.")
    try:
        await end_of(session, wish.trial_until)
    except EndsInThePast as error:
        yield "last_day", error.sentence


def _draft(template_id: str, mission: str) -> Draft:
    template = TEMPLATES[template_id]
    return Draft(
        mission=mission,
        instructions="",
        kinds=template.kinds,
        tools=template.modes,
        listed_tools=template.tools,
        public_tools=template.public_tools,
    )
