"""How is a list of words written so that a person can read it? As running text."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def pairs(text: str) -> frozenset[tuple[str, str]]:
    """Words that stand two by two."""
    found = text.split()
    return frozenset(zip(found[::2], found[1::2], strict=True))
