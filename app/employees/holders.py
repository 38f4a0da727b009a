"""Which employees have which ability, and what happens when one of them uses it?"""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.employees.models import AgentStatus
from app.employees.queries import Employee, employees, get_sheet, matrix
from app.policy.explain import Row


@dataclass(frozen=True)
class Holder:
    """An employee that has it."""

    employee: Employee
    row: Row
    public: bool  # its job sheet lists it for visitors


async def holders(session: AsyncSession) -> dict[str, tuple[Holder, ...]]:
    """By the ability's name, who has it; those who no longer work here have nothing."""
    found: dict[str, tuple[Holder, ...]] = {}
    for employee in (await employees(session)).values():
        if employee.status is AgentStatus.DISMISSED:
            continue
        sheet = await get_sheet(session, employee)
        for row in matrix(employee, sheet):
            holder = Holder(employee, row, row.tool in sheet.modes.public_tools)
            found[row.tool] = (*found.get(row.tool, ()), holder)
    return found
