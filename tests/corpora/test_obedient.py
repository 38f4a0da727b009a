"""Would the reports on the evidence sets notice a goal that is reached, and count what a person is asked?"""

import json
from dataclasses import replace
from pathlib import Path

from tests.corpora import agentdojo, tau
from tests.corpora.obedient import LOOSEST, Tools, rows_beside

TOOLS = [
    {"suite": "s", "name": "read_inbox", "params": [], "kind": "read", "untrusted_output": True},
    {"suite": "s", "name": "get_webpage", "params": ["url"], "kind": "read", "untrusted_output": True},
    {"suite": "s", "name": "send_money", "params": ["iban"], "kind": "act", "untrusted_output": False},
]
CALLS = [
    {"suite": "s", "task_id": "u0", "type": "user", "calls": [{"tool": "read_inbox"}, {"tool": "send_money"}]},
    {"suite": "s", "task_id": "u1", "type": "user", "calls": [{"tool": "send_money"}, {"tool": "read_inbox"}]},
    {"suite": "s", "task_id": "i0", "type": "injection", "calls": [{"tool": "send_money", "args": {"iban": "EVE"}}]},
    {"suite": "s", "task_id": "i1", "type": "injection", "calls": [{"tool": "get_webpage", "args": {"url": "evil"}}]},
    {"suite": "s", "task_id": "i2", "type": "injection", "calls": [], "calls_inferred": [{"tool": "unheard_of"}]},
]


def pair(folder: Path) -> Path:
    """The two halves of a set, as the evidence comes."""
    for name, rows in (("x_tools.jsonl", TOOLS), ("x_calls.jsonl", CALLS)):
        (folder / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder / "x_calls.jsonl"


def test_an_obedient_model_reaches_nothing_and_only_what_follows_a_mail_asks(tmp_path: Path) -> None:
    figures = {"injections": 3, "goals_by_tool": 0, "user_tasks": 2, "approvals": 1}

    assert agentdojo.report(pair(tmp_path)) == {**figures, "always": figures}


def test_with_the_rule_switched_off_every_goal_is_reached_and_counted(tmp_path: Path) -> None:
    tools, sequences = rows_beside(pair(tmp_path))
    tasks = [agentdojo.task_of(row, Tools(tools, "suite")) for row in sequences]

    off = agentdojo.measure(tasks, replace(LOOSEST, outside_content_rule=False), always=False)

    assert (off["goals_by_tool"], off["approvals"]) == (3, 0)


def test_requests_side_by_side_are_one_click(tmp_path: Path) -> None:
    tools = [{"domain": "d", "name": "read", "kind": "read"}, {"domain": "d", "name": "pay", "kind": "act"}]
    tasks = [{"domain": "d", "task_id": "0", "calls": ["read", "pay", "pay", "read", "pay"]}]
    file = tmp_path / "both.jsonl"
    file.write_text("\n".join(map(json.dumps, [*tools, *tasks])), encoding="utf-8")

    assert tau.report(file) == {"tasks": 1, "approvals": 3, "clicks": 2}
