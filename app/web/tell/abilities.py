"""How is it said what an employee can do? A short name for each thing, without its details."""

from app.language.speech import N_, Speech

NAMES: dict[str, str] = {
    "read_mail": N_("Read the customer’s mail"),
    "lookup_order": N_("Look up an order"),
    "search_catalogue": N_("Search the catalogue"),
    "save_draft": N_("Keep a draft"),
    "send_reply": N_("Send a mail"),
    "refund_order": N_("Refund an order"),
    "tell_manager": N_("Leave a note for the manager"),
}


def ability(speech: Speech, tool: str) -> str:
    """ "Refund an order"; a thing that we do not know, by its name made readable."""
    return speech.say(NAMES[tool]) if tool in NAMES else tool.replace("_", " ").strip().capitalize()


def in_a_list(speech: Speech, tool: str) -> str:
    """The same in the middle of a sentence: "refund an order"."""
    name = ability(speech, tool)
    return name[:1].lower() + name[1:]
