"""Which command does the README give? Prints the first or the second, word for word, for `.ci/run`."""

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def commands(text: str) -> list[str]:
    """The contents of the README's `sh` blocks, in their order."""
    return [block.strip() for block in re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)]


if __name__ == "__main__":
    print(commands(README.read_text(encoding="utf-8"))[int(sys.argv[1]) - 1])
