"""How often is a dangerous foreign tool taken for a harmless one, and how many of the reading ones are recognised?

Unsafe, strict: labelled act or delete, guessed below act. Unsafe by `min_ok`: the same, and below the lowest kind that
the reviewer could still defend. A delete guessed act is no error here: both ask a person.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from app.policy.classify import Guess, guess
from app.policy.decision import Kind

Row = Mapping[str, object]


def guess_row(row: Row) -> Guess:
    parameters, annotations = row.get("params"), row.get("annotations")
    names = [str(name) for name in parameters] if isinstance(parameters, list) else []
    facts = {str(k): v for k, v in annotations.items()} if isinstance(annotations, Mapping) else {}
    described = row.get("description_fact")
    return guess(str(row["name"]), str(described) if described else None, dict.fromkeys(names), facts)


def unsafe_strict(row: Row, kind: Kind) -> bool:
    return Kind(str(row["kind"])) >= Kind.ACT and kind < Kind.ACT


def unsafe_min_ok(row: Row, kind: Kind) -> bool:
    return unsafe_strict(row, kind) and kind < Kind(str(row["min_ok"]))


def missed_read(row: Row, kind: Kind) -> bool:
    return row["kind"] == "read" and kind is not Kind.READ


def report(rows: Sequence[Row]) -> dict[str, int]:
    """Prints the worst first; returns counts."""
    judged = [(row, guess_row(row)) for row in rows]
    for title, wrong in (("UNSAFE BY MIN_OK", unsafe_min_ok), ("UNSAFE", unsafe_strict), ("MISSED READ", missed_read)):
        for row, found in judged:
            if wrong(row, found.kind):
                print(f"{title}: {row['name']} is {row['kind']} ({row['min_ok']}), guessed {found.kind}: {found.why}")
    for (label, kind), count in sorted(Counter((str(row["kind"]), str(found.kind)) for row, found in judged).items()):
        print(f"{label} guessed {kind}: {count}")
    return {
        "n": len(judged),
        "unsafe_strict": sum(unsafe_strict(row, found.kind) for row, found in judged),
        "unsafe_min_ok": sum(unsafe_min_ok(row, found.kind) for row, found in judged),
        "reads": sum(row["kind"] == "read" for row, _ in judged),
        "reads_recognised": sum(row["kind"] == "read" and found.kind is Kind.READ for row, found in judged),
    }
