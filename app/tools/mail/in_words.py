"""How are the mail tools' effects told to people?"""

from collections.abc import Mapping

from pydantic import JsonValue

from app.policy.words import N_
from app.tools.tool import Effect


def read(arguments: Mapping[str, JsonValue]) -> Effect:
    """Reading the mail that the task is about."""
    return Effect("read", N_("Read the customer’s mail"))


def draft(arguments: Mapping[str, JsonValue]) -> Effect:
    """A draft kept in the conversation."""
    return Effect(
        "mail",
        N_("Keep a draft"),
        {"subject": str(arguments.get("subject", "")), "body": str(arguments.get("body", ""))},
    )


def send(arguments: Mapping[str, JsonValue]) -> Effect:
    """A mail that leaves the house."""
    facts = {name: str(arguments.get(name) or "") for name in ("subject", "body")}
    return Effect("mail", N_("Send a mail to %(to)s"), {"to": str(arguments.get("to") or ""), **facts})
