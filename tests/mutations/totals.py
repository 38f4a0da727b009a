"""Which bugs were planted where totals, uses, grants and versions are counted? `python -m tests.mutations.totals`

Their judges need a database, so each takes seconds: they are run by hand (or at night) and print what nobody noticed.
That every planted text is still there, once, is looked at by test_totals.py in each run of the suite.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HOUSE = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Planted:
    """A text of a file of `app`, what it is replaced by, and the test that must notice."""

    file: str
    old: str
    new: str
    judge: str


RESERVE, TOTALS, CEILING = (
    "tests/ceilings/test_reserve.py",
    "tests/ceilings/test_totals.py",
    "tests/ceilings/test_ceiling.py",
)
USES, GRANTS, REVISE = "tests/ceilings/test_uses.py", "tests/approvals/test_grants.py", "tests/employees/test_revise.py"
TRIAL, PREVIEW = "tests/employees/test_trial.py", "tests/employees/test_preview.py"
FREE = "await give_back(session, call.id)"

PLANTED = (
    Planted(
        "ceilings/reserve.py",
        "CeilingCounter.used + more <= ceiling.limit",
        "CeilingCounter.used <= ceiling.limit",
        RESERVE,
    ),
    Planted("ceilings/reserve.py", "true() if ceiling.soft else", "true() if not ceiling.soft else", TOTALS),
    Planted("ceilings/reserve.py", ".values(held=False)", ".values(held=True)", RESERVE),
    Planted("ceilings/reserve.py", "used=CeilingCounter.used - freed_amount", "used=CeilingCounter.used", TOTALS),
    Planted("ceilings/reserve.py", ", rounding=ROUND_CEILING", "", CEILING),
    Planted("ceilings/reserve.py", "not Decimal(0) <= found <= COUNTABLE", "found > COUNTABLE", CEILING),
    Planted("ceilings/reserve.py", "if this == held and used + this", "if this is None and used + this", TOTALS),
    Planted("ceilings/reserve.py", '"span": ceiling.span(call.today)', '"span": ""', RESERVE),
    Planted("ceilings/opening.py", ", CallStatus.UNCERTAIN})", "})", TOTALS),
    Planted("ceilings/uses.py", "ExceptionUses.used < most", "ExceptionUses.used <= most", USES),
    Planted("runs/decided.py", "or await _used(session, situation, decision)", "or True", USES),
    Planted("approvals/answer.py", FREE, "pass", TOTALS),
    Planted("approvals/answer.py", "hold=wanted != canonical", "hold=False", TOTALS),
    Planted("approvals/expire.py", FREE, "pass", TOTALS),
    Planted("runs/outcome.py", FREE, "pass", TOTALS),
    Planted("runs/settle.py", FREE, "pass", TOTALS),
    Planted("approvals/grants.py", "for one in given if may[one.given_by])", "for one in given)", GRANTS),
    Planted(
        "approvals/grants.py", "Grant.expires_at > func.clock_timestamp()", "Grant.expires_at > Grant.given_at", GRANTS
    ),
    Planted("approvals/grants.py", "isinstance(scopes.get(grant.scope_id), dict)", "grant.scope_id", GRANTS),
    Planted("approvals/always.py", "if width.value not in offers:", "if width.value in offers:", GRANTS),
    Planted("employees/revise.py", "Agent.sheet_version == based_on", "Agent.sheet_version >= based_on", REVISE),
    Planted("employees/revise.py", "if by.role is not Role.ADMIN and any(", "if any(", REVISE),
    Planted("employees/talk.py", "return talkers == [] or", "return talkers != [] or", REVISE),
    Planted("employees/trial.py", "last_day + timedelta(days=1)", "last_day", TRIAL),
    Planted("employees/past_calls.py", "outside_at is not None and outside_at <= asked_at", "False", PREVIEW),
    Planted("employees/dry_run.py", 'on_trial=any(step.rule == "trial" for step in trail)', "on_trial=False", PREVIEW),
)


def unnoticed(place: int) -> bool:
    """Plant one bug into a copy of the house; whether its judge stays green all the same."""
    planted = PLANTED[place]
    with tempfile.TemporaryDirectory(prefix="placet-mutated-") as folder:
        copy = Path(folder)
        for name in ("app", "tests", "migrations", "templates", "static"):
            shutil.copytree(HOUSE / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(HOUSE / "pyproject.toml", copy)
        file = copy / "app" / planted.file
        file.write_text(file.read_text(encoding="utf-8").replace(planted.old, planted.new), encoding="utf-8")
        command = [sys.executable, "-B", "-m", "pytest", planted.judge, "-n0", "-q", "-x", "-p", "no:cacheprovider"]
        around = {**os.environ, "PYTHONPATH": folder}
        ended = subprocess.run(command, cwd=copy, env=around, capture_output=True, text=True, timeout=300, check=False)
        if ended.returncode not in (0, 1):
            raise RuntimeError(f"{planted.judge} ended with {ended.returncode}: {ended.stdout[-500:]}")
        return ended.returncode == 0


if __name__ == "__main__":
    wanted = [int(one) for one in sys.argv[1:]] or range(len(PLANTED))
    green = [place for place in wanted if unnoticed(place)]
    for place in green:
        print("nobody noticed", PLANTED[place])
    print(f"{len(wanted) - len(green)} of {len(wanted)} noticed")
