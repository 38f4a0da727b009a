"""How does an employee start? From a template, on trial, with version 1 of its job sheet."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.content import seal
from app.database.transaction import tenant_of
from app.employees.models import Agent, JobSheet
from app.employees.templates import TEMPLATES
from app.employees.templates.template import AgentTemplate
from app.employees.trial import end_of
from app.identity.models import AgentManager
from app.ids import new_id


async def hire(
    session: AsyncSession,
    template_id: str,
    *,
    name: str,
    by: UUID | None,
    managers: Sequence[UUID],
    language: str,
    mission: str | None = None,
    trial_until: date | None = None,
    agent_id: UUID | None = None,
) -> Agent:
    """Hire an employee, on trial until a person says so; `trial_until` is the day after which that is asked.

    What it is for is `mission`, or the template's own words.

    Raises KeyError for a template that does not exist, EndsInThePast. The caller owns the transaction.
    """
    template, tenant_id = TEMPLATES[template_id], tenant_of(session)
    agent = Agent(
        tenant_id=tenant_id,
        id=agent_id or new_id(),
        template=template.id,
        name=name,
        on_trial=True,
        trial_ends_at=await end_of(session, trial_until),
        sheet_version=1,
    )
    session.add(agent)
    await session.flush()  # what follows refers to it
    session.add(await _first_sheet(session, agent, template, by=by, language=language, mission=mission))
    for user_id in managers:
        session.add(AgentManager(tenant_id=tenant_id, id=new_id(), agent_id=agent.id, user_id=user_id))
    await session.flush()
    await record(
        session, Event.EMPLOYEE_HIRED, by=by, about=agent.id, agent_id=agent.id, facts={"template": template.id}
    )
    return agent


async def _first_sheet(
    session: AsyncSession, agent: Agent, template: AgentTemplate, *, by: UUID | None, language: str, mission: str | None
) -> JobSheet:
    """Version 1: the template's words in the reader's language, its modes, its tools."""
    words: JsonValue = {
        "mission": mission or template.mission[language],
        "instructions": template.instructions[language],
        "title": template.title[language],
        "exceptions": [],
    }
    return JobSheet(
        tenant_id=agent.tenant_id,
        id=new_id(),
        agent_id=agent.id,
        version=1,
        kinds={kind.value: mode.value for kind, mode in template.kinds.items()},
        tools={name: mode.value for name, mode in template.modes.items()},
        listed_tools=list(template.tools),
        public_tools=list(template.public_tools),
        words_id=await seal.keep(session, words),
        made_by=by,
    )
