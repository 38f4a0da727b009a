"""What can be chosen on a job sheet? The tools that the employee may have, and what each can be bounded by."""

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.employees.templates import TEMPLATES
from app.policy.decision import Kind
from app.tool_servers.tools import all_foreign_tools
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
    """The tools of a template, those that everybody has, and those of the services that the company added, by name."""
    own = TEMPLATES[template].tools if template in TEMPLATES else ()
    ours = {name: TOOLS[name] for name in (*own, *sorted(BUILT_IN - set(own))) if name in TOOLS}
    return {name: _choice(tool) for name, tool in {**ours, **await all_foreign_tools(session)}.items()}


def _choice(tool: Tool) -> ToolChoice:
    arguments = (*tool.takes, *tool.bound)
    return ToolChoice(tool, tool.name in BUILT_IN, arguments, tool.amounts, bool(tool.targets))
