"""How does the rest of the product look to the model? A small shop that runs its calls and keeps the whole history."""

import json
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

from anthropic import Anthropic

from app.demo.mails import broken_cup, late_parcel, someone_else_s_order
from app.runs import told

Answers = dict[str, Any]
REASONS = {"_why": {"type": "string"}, "_exception": {"type": "string"}}


def tool(name: str, *arguments: str, reasons: bool = True) -> dict[str, Any]:
    properties = {argument: {"type": "string"} for argument in arguments} | (REASONS if reasons else {})
    return {"name": name, "input_schema": {"type": "object", "properties": properties, "required": list(properties)}}


TOOLS = [
    tool("read_mail", reasons=False),
    tool("lookup_order", "order_number", reasons=False),
    tool("search_catalogue", "query", reasons=False),
    tool("save_draft", "subject", "body"),
    tool("send_reply", "subject", "body"),
    tool("refund_order", "amount", "reason"),
    tool("tell_manager", "note"),
]


def read(mail: EmailMessage) -> dict[str, Any]:
    """The mail as `read_mail` gives it."""
    sender = mail["From"].addresses[0]
    return {
        "from": sender.addr_spec,
        "from_name": sender.display_name,
        "subject": str(mail["Subject"]),
        "date": "2026-12-02",
        "body": mail.get_content(),
        "sender_proven": False,
    }


EMMA, PAUL, TOM = read(broken_cup()), read(late_parcel()), read(someone_else_s_order())
CUPS = {
    "order": "MC-1042",
    "customer": "Emma Walsh",
    "status": "delivered",
    "ordered_on": "2026-11-20",
    "items": [
        {"name": "Earl Grey, loose leaf", "quantity": 1, "unit_price": "12.50"},
        {"name": "Tea cup, blue", "quantity": 2, "unit_price": "24.50"},
        {"name": "Shipping", "quantity": 1, "unit_price": "5.90"},
    ],
    "paid": "67.40",
    "refunded": "0.00",
    "currency": "EUR",
    "tracking": None,
}
PARCEL = "Colissimo 6C14877203456, left Lyon on 2026-11-30, expected on 2026-12-04"
PAULS = CUPS | {"order": "MC-1043", "customer": "Paul Mercier", "status": "in transit", "tracking": PARCEL}


def house(result: object) -> dict[str, Any]:
    return {"content": json.dumps({"provenance": "house", "result": result})}


def outside(result: object) -> dict[str, Any]:
    return {"content": json.dumps({"provenance": "outside", "result": result})}


def refused(word: str) -> dict[str, Any]:
    return {"content": told.rejected("Nadia", word)}


def failed(why: str) -> dict[str, Any]:
    return {"content": why, "is_error": True}


class Shop:
    """One conversation. `results` says what each tool answers: a result, or a list of them, one for each time."""

    def __init__(self, claude: Anthropic, task: str, results: Answers, *, model: str = "practice-model") -> None:
        self.claude, self.results, self.model = claude, results, model
        self.tools = TOOLS
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": task}]
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.turns: list[list[str]] = []

    def work(self, **more: Any) -> str:
        """Go on until the model only speaks; its last words."""
        for _ in range(12):
            answer = self.claude.messages.create(
                model=self.model, max_tokens=4000, tools=self.tools, messages=self.messages, **more
            )
            self.messages.append({"role": "assistant", "content": [b.to_dict() for b in answer.content]})
            calls = [block for block in answer.content if block.type == "tool_use"]
            if not calls:
                return "".join(block.text for block in answer.content if block.type == "text")
            self.turns.append([call.name for call in calls])
            self.messages.append({"role": "user", "content": [self._run(call) for call in calls]})
        raise AssertionError(f"it does not end: {self.turns}")

    def _run(self, call: Any) -> dict[str, Any]:
        self.calls.append((call.name, dict(call.input)))
        result = self.results.get(call.name, house({"ok": True}))
        if isinstance(result, list):
            result = result.pop(0) if len(result) > 1 else result[0]
        if isinstance(result, Callable):
            result = result(call.input)
        return {"type": "tool_result", "tool_use_id": call.id, **result}

    def arguments(self, name: str) -> list[dict[str, Any]]:
        return [arguments for called, arguments in self.calls if called == name]


def mail_task(claude: Anthropic, mail: dict[str, Any], **results: Any) -> Shop:
    return Shop(claude, told.MAIL_ARRIVED, {"read_mail": outside(mail), **results})
