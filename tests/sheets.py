"""Job sheets as a manager changes them, and Camille past her trial: what tests of rules begin with."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from sqlalchemy import update

from app.ceilings.ceiling import Ceiling, Per, Period
from app.employees.draft import Draft
from app.employees.models import Agent
from app.employees.revise import revise
from app.employees.trial import end_trial
from app.employees.versions import Version, version_of
from app.ids import new_id
from app.policy.decision import Kind, Mode, StandingException
from tests.people import Cast, Someone
from tests.world import World

FREELY: dict[Kind, Mode] = {Kind.ACT: Mode.TELL, Kind.DRAFT: Mode.TELL, Kind.ORGANIZE: Mode.TELL}


async def current(world: World, people: Cast) -> Version:
    """Camille's job sheet in force."""
    async with world.web.tenant(people.company) as session:
        return await version_of(session, people.camille)


async def save(world: World, who: Someone, people: Cast, draft: Draft, based_on: int) -> int:
    """Save a draft as this person."""
    async with world.web.tenant(who.tenant_id) as session:
        return await revise(session, people.camille, draft, based_on=based_on, by=who.member, operation=new_id())


async def change(world: World, people: Cast, **parts: Any) -> int:
    """Nadia changes these parts of the job sheet."""
    now = await current(world, people)
    return await save(world, people.nadia, people, replace(now.draft, **parts), now.version)


async def past_trial(world: World, people: Cast, **parts: Any) -> None:
    """The trial is over and the job sheet has these parts."""
    async with world.web.tenant(people.company) as session:
        await end_trial(session, people.camille, by=people.nadia.member)
    if parts:
        await change(world, people, **parts)


async def rewrite_agent(world: World, people: Cast, **values: Any) -> None:
    """Change Camille's row behind everybody's back, with the owner's rights."""
    async with world.owner.tenant(people.company) as session:
        mine = update(Agent).where(Agent.tenant_id == people.company, Agent.id == people.camille)
        await session.execute(mine.values(**values))


def mails_a_day(limit: int, *, soft: bool = False) -> Ceiling:
    """At most so many mails a day."""
    return Ceiling("", frozenset({"send_reply"}), None, Per.ALL, Period.DAY, Decimal(limit), soft)


def refunds_a_month(limit: str, *, soft: bool = False, per: Per = Per.TARGET) -> Ceiling:
    """At most so much refunded a month for each order."""
    return Ceiling("", frozenset({"refund_order"}), "amount", per, Period.MONTH, Decimal(limit), soft, "EUR")


def exception(text: str, *tools: str, uses: int | None = None) -> StandingException:
    """A sentence on the sheet, without conditions."""
    return StandingException("", text, frozenset(tools), uses_per_day=uses)
