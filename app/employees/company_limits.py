"""What may no employee of this company do, whatever its job sheet says? Rule 3, `limits`, as the company sets it.

A floor per kind of work: the loosest mode that any employee has there, on every sheet, today's and tomorrow's. It holds
from the next step of every task; what waits for an answer is decided again before it happens.
"""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.database.transaction import tenant_of
from app.employees.templates import TEMPLATES
from app.errors import PlacetError
from app.identity.models import Tenant
from app.identity.roles import Member, Permission
from app.operations import first_time
from app.policy.decision import Kind, Limits, Mode

FLOORS: Mapping[Kind, tuple[Mode, ...]] = {  # what can be chosen; reading is what an employee is for
    Kind.ORGANIZE: (Mode.TELL, Mode.ASK, Mode.NEVER),
    Kind.DRAFT: (Mode.TELL, Mode.ASK, Mode.NEVER),
    Kind.ACT: (Mode.TELL, Mode.ASK, Mode.NEVER),
    Kind.DELETE: (Mode.NEVER,),  # it never does so without asking
}


class FloorInvalid(PlacetError):
    """That is not one of the choices."""

    status = 422


async def floors_of(session: AsyncSession) -> dict[Kind, Mode]:
    """The company's floors."""
    kept = await session.scalar(select(Tenant.floors).where(Tenant.id == tenant_of(session)))
    return read_floors(kept or {})


async def hard_limits(session: AsyncSession, template: str) -> tuple[Limits, ...]:
    """All that binds an employee of this template: the template's own limits and the company's."""
    return limits_of(template, await floors_of(session))


def read_floors(kept: Mapping[str, str]) -> dict[Kind, Mode]:
    """As the database keeps them."""
    return {Kind(kind): Mode(mode) for kind, mode in kept.items()}


def limits_of(template: str, floors: Mapping[Kind, Mode]) -> tuple[Limits, ...]:
    """The same of floors that are known already."""
    own = TEMPLATES[template].limits if template in TEMPLATES else ()
    return (*own, Limits(floors=floors)) if floors else own


async def set_floors(session: AsyncSession, floors: Mapping[Kind, Mode], *, by: Member, operation: UUID) -> None:
    """Let these hold from now on, and no others. Raises NotAllowed, FloorInvalid."""
    by.require(Permission.COMPANY_SETTINGS)
    if any(mode not in FLOORS.get(kind, ()) for kind, mode in floors.items()):
        raise FloorInvalid
    if not await first_time(session, operation, "set_floors", by=by.user_id):
        return
    kept = {kind.value: mode.value for kind, mode in floors.items()}
    changed = await session.scalar(
        update(Tenant)
        .where(Tenant.id == by.tenant_id, Tenant.floors != kept)
        .values(floors=kept)
        .returning(Tenant.id)
        .execution_options(synchronize_session=False)
    )
    if changed is not None:
        await record(session, Event.LIMITS_CHANGED, by=by.user_id, facts=dict(kept))
