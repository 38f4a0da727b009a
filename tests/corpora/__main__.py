"""Which set is judged by which report? Worst cases first, then one JSON object of numbers."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.corpora import tools

Row = Mapping[str, object]
SETS: Final[Mapping[str, Callable[[Sequence[Row]], Mapping[str, int]]]] = {
    "tools": tools.report,
    "traps": tools.report,
}


def rows_of(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in SETS:
        print(f"usage: python -m tests.corpora {{{','.join(SETS)}}} FILE", file=sys.stderr)
        return 2
    print(json.dumps(SETS[arguments[0]](rows_of(Path(arguments[1])))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
