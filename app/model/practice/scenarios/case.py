"""What does Camille have before her? The mail, its order and its products, and what was tried and refused so far."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from app.model.practice.reply import Use
from app.model.practice.scenarios.letter import Letter, letter_from
from app.model.practice.scenarios.shop_results import Item, Order, amount_of, decimal, order_from
from app.model.practice.scenarios.wish import Wish
from app.model.practice.scenarios.words import money, words
from app.model.practice.talk import Became, Step, Talk

TROUBLE = (Became.BLOCKED, Became.FAILED, Became.UNCERTAIN)


@dataclass(frozen=True)
class Case:
    """One mail that is worked on."""

    talk: Talk

    @cached_property
    def letter(self) -> Letter:
        read = self.talk.last("read_mail")
        return letter_from(read.outcome.data if read else None)

    @cached_property
    def order(self) -> Order | None:
        """The order, if the shop gave it: then it is the sender's."""
        looked = self.talk.last("lookup_order")
        return order_from(looked.outcome.data) if looked and looked.became is Became.DONE else None

    @property
    def name(self) -> str:
        return (self.order.customer if self.order else "") or self.letter.name

    @property
    def is_complaint(self) -> bool:
        """Something arrived broken, in the sender's own order, and nobody tries to give orders."""
        return self.order is not None and self.letter.says_broken and not self.letter.instruction

    @property
    def item(self) -> Item | None:
        return self.order.item_meant(self.letter.body) if self.order else None

    @property
    def amount(self) -> Decimal:
        """What the item cost, as far as it can still be refunded."""
        if self.order is None or self.item is None:
            return Decimal("0.00")
        return min(self.item.price, self.order.left_to_refund)

    def say(self, name: str, /, **facts: str) -> str:
        """A text in the customer's language, with the facts of this case."""
        known = {
            "name": self.name or self.letter.sender,
            "order": self.order.number if self.order else self.letter.order,
            "item": self.item.name if self.item else "",
            "subject": self.letter.subject,
        }
        return words(self.letter.language, name, **{**known, **facts})

    def money(self, amount: Decimal) -> str:
        return money(self.letter.language, str(amount), self.order.currency if self.order else "EUR")

    def use(self, tool: str, why: str, **arguments: str) -> Use | None:
        """A call with its reason, if the tool is there."""
        return self.talk.use(tool, why=why, **arguments)

    def refused(self, tool: str) -> list[Step]:
        """The calls of this tool that a person refused."""
        return [step for step in self.talk.calls(tool) if step.became is Became.REFUSED]

    def done(self, tool: str) -> list[Step]:
        return [step for step in self.talk.calls(tool) if step.became is Became.DONE]

    def tried_after(self, tool: str, turn: int) -> bool:
        """True when this tool was called in a turn after that one."""
        return any(step.turn > turn for step in self.talk.calls(tool))

    @property
    def booked(self) -> Decimal | None:
        """The refund that was booked, in the shop's figure: a person may have changed the one that was asked for."""
        done = self.done("refund_order")
        if not done:
            return None
        return amount_of(done[-1].outcome.data) or decimal(str(done[-1].arguments.get("amount", "")))

    @property
    def refusals(self) -> list[Step]:
        return [step for step in self.talk.steps if step.became is Became.REFUSED]

    @property
    def wish(self) -> Wish:
        """What the last word of a person asks for; a word about the reply counts before one about the refund."""
        latest = max((step.turn for step in self.refusals), default=0)
        spoken = [step.outcome.word for step in self.refusals if step.turn == latest and step.outcome.word]
        return Wish(" ".join(spoken))

    @property
    def by(self) -> str:
        """By whom and with which word something was refused last, for the reason given to the manager."""
        if not self.refusals:
            return ""
        last = self.refusals[-1].outcome
        name = "by" if last.word else "by_wordless"
        return words(self.letter.language, name, who=last.who, word=last.word[:100])
