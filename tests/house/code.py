"""What code is there to hold to the house's rules?"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files(folder: str, pattern: str = "**/*.py") -> list[Path]:
    """Every file under a folder of the repository, in a stable order."""
    return sorted(path for path in (ROOT / folder).glob(pattern) if "__pycache__" not in path.parts)


def name_of(path: Path) -> str:
    """A file as people write it: `app/policy/decide.py`."""
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """What a file imports, each as `module` or `module.name`, wherever in the file it does."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
