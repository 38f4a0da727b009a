"""How many calls a second can one core decide? Run `python -m tests.bench.bench_decide`; the last line is JSON.

The calls are those of an ordinary day: plain reads, acts on trial, after outside content, with exceptions, grants
and ceilings. The requirement is 50,000 a second.
"""

from __future__ import annotations

import json
import time
from decimal import Decimal

from app.policy.decide import decide
from app.policy.decision import (
    CeilingFact,
    Comparison,
    Condition,
    Facts,
    GrantView,
    Kind,
    Limits,
    Mode,
    ModeSheet,
    StandingException,
    ToolView,
)

REQUIRED = 50_000
SENTENCE = "Refunds up to 20 EUR need no question."
SMALL = StandingException("e", SENTENCE, frozenset({"refund"}), (Condition("amount", Comparison.AT_MOST, "20"),))
SHEET = ModeSheet({Kind.ORGANIZE: Mode.DO}, {"send_reply": Mode.ASK}, exceptions=(SMALL,))
LIMITS = (Limits(frozenset({Kind.DELETE}), {Kind.ACT: Mode.TELL}),)
READ = ToolView("lookup_order", Kind.READ)
FILE = ToolView("tell_manager", Kind.ORGANIZE)
REPLY = ToolView("send_reply", Kind.ACT, targets=frozenset({"to"}), leaves=frozenset({"body"}), bound=frozenset({"to"}))
REFUND = ToolView("refund", Kind.ACT, targets=frozenset({"order"}), bound=frozenset({"order"}))
DROP = ToolView("drop_order", Kind.DELETE)
TOTAL = CeilingFact("refunds", True, Decimal(150), Decimal(100), Decimal("12.50"), "EUR")
PAID = {"order": "1001", "amount": "12.50"}
MAIL = {"to": "nadia@colibri.fr", "body": "Dear Nadia"}

DAY = (
    *[Facts(READ, SHEET, LIMITS)] * 3,
    Facts(READ, SHEET, LIMITS, outside_read=True),
    Facts(FILE, SHEET, LIMITS, outside_read=True),
    Facts(REPLY, SHEET, LIMITS, on_trial=True, outside_read=True, arguments=MAIL),
    Facts(REPLY, SHEET, LIMITS, grants=(GrantView("g", "send_reply", {"to": "nadia@colibri.fr"}),), arguments=MAIL),
    Facts(REFUND, SHEET, LIMITS, (TOTAL,), outside_read=True, arguments=PAID, cited=SENTENCE),
    Facts(DROP, SHEET, LIMITS, on_trial=True),
)


def rate(seconds: float = 1.0) -> float:
    """Decisions a second over the day's calls, on this core."""
    rounds, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(100):
            for facts in DAY:
                decide(facts)
        rounds += 100
    return rounds * len(DAY) / spent


if __name__ == "__main__":
    best = max(rate() for _ in range(3))
    print(json.dumps({"decisions_per_second": round(best), "required": REQUIRED}))
