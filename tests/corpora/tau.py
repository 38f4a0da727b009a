"""tau2-bench: how often does serving a customer ask a person, and how many clicks is that?

The customer's words are text from outside, so the run has read some before its first call. Requests of calls that
follow on each other without a read between them wait together, and are decided together by one click; that is what
`clicks` counts. The job sheet is the loosest that can be written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from app.policy.decision import ModeSheet
from tests.corpora.obedient import LOOSEST, Outcome, Row, Tools, play, rows_beside, without


def report(file: Path) -> dict[str, int]:
    """Print the worst cases and what each rule costs; return the figures."""
    tools, sequences = rows_beside(file)
    known = Tools(tools, "domain")
    played = {_name(row): _served(row, known, LOOSEST) for row in sequences}
    off = sum(_asked(_served(row, known, without(LOOSEST))) for row in sequences)
    asking = [outcome for outcomes in played.values() for outcome in outcomes if outcome.asked]
    for rule, count in Counter(outcome.decision.because for outcome in asking).most_common():
        print(f"{rule} costs {count} approvals")
    print(f"with outside_content switched off: {off} approvals, so it costs {len(asking) - off}")
    for tool, count in Counter(outcome.call.tool.name for outcome in asking).most_common():
        print(f"{tool} asks {count} times")
    for name, outcomes in sorted(played.items(), key=lambda item: -_asked(item[1]))[:3]:
        print(f"most approvals: task {name}, {_asked(outcomes)} in {clicks(outcomes)} clicks")
    return {"tasks": len(played), "approvals": len(asking), "clicks": sum(map(clicks, played.values()))}


def clicks(outcomes: Sequence[Outcome]) -> int:
    """Requests next to each other are decided at once."""
    return sum(asked for asked, _ in groupby(outcome.asked for outcome in outcomes))


def _served(row: Row, tools: Tools, sheet: ModeSheet) -> list[Outcome]:
    listed = row["calls"]
    names = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ()
    calls = [
        tools.call(row, str(name["tool"]), name.get("args")) if isinstance(name, dict) else tools.call(row, str(name))
        for name in names
    ]
    return play(calls, sheet, outside_read=True)


def _asked(outcomes: Sequence[Outcome]) -> int:
    return sum(outcome.asked for outcome in outcomes)


def _name(row: Row) -> str:
    return f"{row.get('domain')} {row['task_id']}"
