"""What can go wrong in a way that somebody is told: a person, or the model."""

from collections.abc import Mapping


class PlacetError(Exception):
    """Something that can happen to a person; the docstring of each kind is the sentence they read.

    `status` is the HTTP status of the page that says so; `facts` fill the sentence's placeholders.
    """

    status = 400

    def __init__(self, **facts: str) -> None:
        super().__init__(self.sentence)
        self.facts: Mapping[str, str] = facts

    @property
    def sentence(self) -> str:
        """The sentence in English, before translation and before the facts are filled in."""
        return (type(self).__doc__ or "").strip()


class NotFound(PlacetError):
    """There is nothing here, or it is not yours to see."""

    status = 404


class NotAllowed(PlacetError):
    """Only a manager of this employee or an administrator can do this."""

    status = 403


class ToolError(Exception):
    """A tool's own word to the model: what was wrong and what to do instead. Nothing was done."""


class OutcomeUnknown(Exception):
    """The effect may have happened: the other side was reached and did not say (promise 5)."""


class BadConfiguration(Exception):
    """The start is refused; the message is one line that says what to do."""
