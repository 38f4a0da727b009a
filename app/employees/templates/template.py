"""What is a template? An employee as it can be hired: what it is for, its tools, how free it is, what it never does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.policy.decision import Kind, Limits, Mode

Autonomy = Literal["read", "organize", "draft", "write", "act", "delete"]
Words = Mapping[str, str]  # by language: {"en": …, "fr": …}


@dataclass(frozen=True)
class AgentTemplate:
    """One employee that can be hired."""

    id: str
    name: str  # suggested; people choose their own
    title: Words
    mission: Words
    instructions: Words
    tools: tuple[str, ...]
    kinds: Mapping[Kind, Mode] = field(default_factory=dict)
    modes: Mapping[str, Mode] = field(default_factory=dict)  # of single tools, before those of their kinds
    limits: tuple[Limits, ...] = ()
    public_tools: tuple[str, ...] = ()
    sample_tasks: tuple[Words, ...] = ()


def define_agent(
    id: str,
    *,
    name: str,
    title: Words,
    mission: Words,
    instructions: Words,
    tools: tuple[str, ...],
    autonomy: Mapping[Autonomy, str] | None = None,
    modes: Mapping[str, Mode] | None = None,
    limits: tuple[Limits, ...] = (),
    public_tools: tuple[str, ...] = (),
    sample_tasks: tuple[Words, ...] = (),
) -> AgentTemplate:
    """Define an employee. `write` in `autonomy` is short for `organize` and `draft`; `modes` are of single tools.

    Raises ValueError for a kind, mode, tool or language that does not exist: the start is refused, not the first run.
    """
    kinds: dict[Kind, Mode] = {}
    for kind, mode in (autonomy or {}).items():
        for one in (Kind.ORGANIZE, Kind.DRAFT) if kind == "write" else (Kind(kind),):
            kinds[one] = Mode(mode)
    for words in (title, mission, instructions, *sample_tasks):
        if set(words) != {"en", "fr"}:
            raise ValueError(f"template {id}: each text is there in English and French")
    if set(public_tools) - set(tools):
        raise ValueError(f"template {id}: public tools are among its tools")
    return AgentTemplate(
        id, name, title, mission, instructions, tools, kinds, modes or {}, limits, public_tools, sample_tasks
    )
