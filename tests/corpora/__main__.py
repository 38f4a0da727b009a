"""Which set is judged by which report? Worst cases first, then one JSON object of numbers."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.corpora import agentdojo, ssrf, tau, tools

Row = Mapping[str, object]
SETS: Final[Mapping[str, Callable[[Sequence[Row]], Mapping[str, int]]]] = {
    "tools": tools.report,
    "traps": tools.report,
    "ssrf": ssrf.report,
}
# These need two halves, the tools and the sequences of calls, and find the other half beside the file.
PAIRS: Final[Mapping[str, Callable[[Path], Mapping[str, object]]]] = {
    "agentdojo": agentdojo.report,
    "tau": tau.report,
}


def rows_of(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in (*SETS, *PAIRS):
        print(f"usage: python -m tests.corpora {{{','.join((*SETS, *PAIRS))}}} FILE", file=sys.stderr)
        return 2
    name, file = arguments[0], Path(arguments[1])
    print(json.dumps(PAIRS[name](file) if name in PAIRS else SETS[name](rows_of(file))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
