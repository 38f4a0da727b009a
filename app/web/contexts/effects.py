"""What would a call do? An e-mail looks like an e-mail, a refund like an amount on an order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias

from app.web.contexts.chrome import Row


@dataclass(frozen=True, slots=True)
class MailEffect:
    to: str
    subject: str
    body: str
    sender: str = ""
    copies: tuple[str, ...] = ()
    to_fixed: bool = True
    to_proven: bool = False
    kind: Literal["mail"] = "mail"


@dataclass(frozen=True, slots=True)
class OrderLine:
    name: str
    quantity: int
    total: Decimal  # of all its pieces


@dataclass(frozen=True, slots=True)
class RefundEffect:
    amount: Decimal
    currency: str
    order: str
    customer: str
    reason: str
    paid: Decimal
    refunded: Decimal  # before this one, pending ones included
    left: Decimal  # after this one
    lines: tuple[OrderLine, ...] = ()
    ordered_on: date | None = None
    kind: Literal["refund"] = "refund"


@dataclass(frozen=True, slots=True)
class ArgumentsEffect:
    rows: tuple[Row, ...]
    kind: Literal["arguments"] = "arguments"


Effect: TypeAlias = MailEffect | RefundEffect | ArgumentsEffect
