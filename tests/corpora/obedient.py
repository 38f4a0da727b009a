"""What would a model that obeys every text get done without a person? Sequences of calls, decided by the product."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.policy.decide import decide
from app.policy.decision import Decision, Facts, GrantView, Json, Kind, Mode, ModeSheet, ToolView
from app.policy.offers import grants_offered

Row = Mapping[str, Json]

# Nobody labelled which reads send their arguments away: one that takes or names a web address does.
REACH = frozenset({"url", "uri", "link", "href", "domain", "host", "web", "website", "webpage", "http", "browse"})
# The loosest sheet that can be written: whatever still asks then, asks because of a floor.
LOOSEST = ModeSheet(kinds=dict.fromkeys(Kind, Mode.DO))


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a sequence, with its tool as labelled."""

    tool: ToolView
    marks: bool  # what it returns can be written by a third party
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A call and what was decided about it."""

    call: Call
    decision: Decision

    @property
    def asked(self) -> bool:
        """Whether a person was asked."""
        return self.decision.mode is Mode.ASK and self.decision.refusal is None

    @property
    def alone(self) -> bool:
        """Whether it ran without a person."""
        return self.decision.mode <= Mode.TELL and self.decision.refusal is None


class Tools:
    """The tools of a file, by the group they belong to; one that the file does not know acts, as a stranger's."""

    def __init__(self, rows: Iterable[Row], group: str) -> None:
        self.group = group
        self.known = {(str(row.get(group)), str(row["name"])): row for row in rows}

    def call(self, where: Row, name: str, arguments: Json = None) -> Call:
        """A call of the sequence `where`."""
        given = arguments if isinstance(arguments, Mapping) else {}
        row = self.known.get((str(where.get(self.group)), name))
        if row is None:
            return Call(ToolView(name, Kind.ACT, foreign=True), True, given)
        kind = Kind(str(row["kind"]))
        view = ToolView(name, kind, reads_outside=kind is Kind.READ and _reaches(row))
        return Call(view, bool(row.get("untrusted_output")), given)


def play(
    calls: Sequence[Call],
    sheet: ModeSheet,
    *,
    outside_read: bool = False,
    grants: tuple[GrantView, ...] = (),
    always: bool = False,
) -> list[Outcome]:
    """Decide the calls one after another, a turn each; what asks is approved, so the sequence goes on."""
    outcomes = []
    for call in calls:
        facts = Facts(call.tool, sheet, outside_read=outside_read, grants=grants, arguments=call.arguments)
        outcomes.append(Outcome(call, decide(facts)))
        if always and outcomes[-1].asked:
            grants += tuple(GrantView(one.width, call.tool.name, one.scope) for one in grants_offered(facts))
        outside_read = outside_read or call.marks
    return outcomes


def rows_beside(file: Path) -> tuple[list[Row], list[Row]]:
    """The tools and the sequences: both from one file, or the other half from the file beside it."""
    rows = _rows(file)
    other = _other_half(file.name)
    if other and file.with_name(other).exists():
        rows += _rows(file.with_name(other))
    tools = [row for row in rows if "kind" in row and "name" in row]
    return tools, [row for row in rows if "calls" in row]


def without(sheet: ModeSheet) -> ModeSheet:
    """The same sheet with the rule about outside content switched off, to see what it costs and holds."""
    return replace(sheet, outside_content_rule=False)


def _other_half(name: str) -> str | None:
    for one, other in (("calls", "tools"), ("tools", "calls")):
        if one in name:
            return name.replace(one, other)
    return None


def _rows(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _reaches(row: Row) -> bool:
    if (labelled := row.get("reads_outside", row.get("outside"))) is not None:
        return bool(labelled)
    parameters = row.get("params")
    names = parameters if isinstance(parameters, Sequence) and not isinstance(parameters, str) else ()
    words = re.findall(r"[a-z]+", " ".join([str(row["name"]), *map(str, names)]).lower())
    return not REACH.isdisjoint(words)
