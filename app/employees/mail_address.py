"""At which address does mail reach an employee? The operator gives it: only they know whose mail comes here."""

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.audit.events import Event
from app.audit.journal import record
from app.database.transaction import bind_tenant
from app.employees.models import MailAddress
from app.employees.queries import id_of
from app.errors import PlacetError
from app.identity.address import require_address


class CompanyUnknown(PlacetError):
    """Nobody with that e-mail address is in a company here."""

    status = 404


class NobodyOfThisName(PlacetError):
    """No employee of this name works in that company. It has to be hired first, on the pages of the company."""

    status = 404


class AddressTaken(PlacetError):
    """Mail to that address is the work of an employee of another company."""

    status = 409


async def give_address(session: AsyncSession, address: str, *, employee: str, company_of: str) -> str:
    """Mail to `address` becomes the work of the employee of that name, in the company of the person `company_of`.

    An address that a colleague of it had moves. `session` is the owner's, bound to no company yet. Returns the address
    as it is kept. Raises AddressUnsuitable, CompanyUnknown, NobodyOfThisName, AddressTaken.
    """
    address = require_address(address).lower()
    tenant_id = await session.scalar(
        text("SELECT tenant_id FROM door_sign_in(:person)"), {"person": company_of.strip()}
    )
    if tenant_id is None:
        raise CompanyUnknown
    await bind_tenant(session, tenant_id)
    agent_id = await id_of(session, employee)
    if agent_id is None:
        raise NobodyOfThisName
    kept = await session.scalar(
        select(MailAddress).where(MailAddress.tenant_id == tenant_id, MailAddress.address == address)
    )
    if kept is None and await _known(session, address):
        raise AddressTaken
    if kept is None:
        session.add(MailAddress(tenant_id=tenant_id, address=address, agent_id=agent_id))
    elif kept.agent_id == agent_id:
        return address
    else:
        kept.agent_id = agent_id
    await session.flush()  # the journal's line comes last
    await record(session, Event.EMPLOYEE_REACHABLE, about=agent_id, agent_id=agent_id)
    return address


async def _known(session: AsyncSession, address: str) -> bool:
    """Does any company have it? By the door that mail itself comes through."""
    return (await session.execute(text("SELECT FROM door_mailbox(:address)"), {"address": address})).first() is not None
