"""What can a scenario say in one turn? Words, thoughts, calls: the vocabulary in which scenarios are written."""

from dataclasses import dataclass, field

from app.model.practice.request import JsonObject


@dataclass(frozen=True)
class Say:
    """A text block."""

    text: str


@dataclass(frozen=True)
class Think:
    """A thinking block; it goes out signed."""

    text: str


@dataclass(frozen=True)
class Use:
    """A tool call."""

    tool: str
    arguments: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """A block word for word, for what a model of tomorrow may send."""

    block: JsonObject


Piece = Say | Think | Use | Raw


@dataclass(frozen=True)
class Reply:
    """One turn. The stop reason follows from the pieces, unless a script names one."""

    pieces: tuple[Piece, ...]
    stop_reason: str | None = None
    names_its_stop: bool = False

    @property
    def has_calls(self) -> bool:
        return any(isinstance(piece, Use) for piece in self.pieces)


def say(text: str) -> Reply:
    """A turn that only speaks."""
    return Reply((Say(text),))


def turn(*pieces: Piece | None) -> Reply | None:
    """A turn of these pieces; what is not there is left out, and nothing at all is no turn."""
    there = tuple(piece for piece in pieces if piece is not None)
    return Reply(there) if any(isinstance(piece, Use) for piece in there) else None
