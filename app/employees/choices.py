"""What can be chosen on a job sheet? The tools that the employee may have, and what each can be bounded by."""

from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.ext.asyncio import AsyncSession

from app.employees.templates import TEMPLATES
from app.policy.decision import Kind
from app.tools.catalogue import BUILT_IN, TOOLS
from app.tools.tool import Tool


@dataclass(frozen=True)
class ToolChoice:
    """One tool: whether every employee has it, its arguments, those that are amounts, and whether it has a target."""

    tool: Tool
    built_in: bool
    arguments: tuple[str, ...]
    amounts: tuple[str, ...]
    has_target: bool

    @property
    def may_have_exceptions(self) -> bool:
        """Reading is not asked about, and no exception counts for deleting."""
        return self.tool.may_ask and self.tool.kind is not Kind.DELETE

    @property
    def may_have_ceilings(self) -> bool:
        """What it reads is not counted; what it does is."""
        return self.tool.kind is not Kind.READ


async def tool_choices(session: AsyncSession, template: str) -> dict[str, ToolChoice]:
    """The tools of a template and those that everybody has, by name."""
    own = TEMPLATES[template].tools if template in TEMPLATES else ()
    return {name: _choice(TOOLS[name]) for name in (*own, *sorted(BUILT_IN - set(own))) if name in TOOLS}


def _choice(tool: Tool) -> ToolChoice:
    fields = tool.arguments.model_fields
    amounts = tuple(name for name, field in fields.items() if field.annotation in (Decimal, int, float))
    return ToolChoice(tool, tool.name in BUILT_IN, (*fields, *tool.bound), amounts, bool(tool.targets))
