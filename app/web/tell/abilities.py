"""How is it said what an employee can do? A short name for each thing, without its details."""

from app.language.speech import N_, Speech
from app.tools.mcp import foreign

NAMES: dict[str, str] = {
    "read_mail": N_("Read the customer’s mail"),
    "lookup_order": N_("Look up an order"),
    "search_catalogue": N_("Search the catalogue"),
    "save_draft": N_("Keep a draft"),
    "send_reply": N_("Send a mail"),
    "refund_order": N_("Refund an order"),
    "read_product": N_("Read an article"),
    "update_product": N_("Write the text of an article"),
    "update_price": N_("Change a price"),
    "delete_product": N_("Take an article out of the catalogue"),
    "tell_manager": N_("Leave a note for the manager"),
}


def ability(speech: Speech, tool: str) -> str:
    """ "Refund an order"; what a service of others can do by its own name, and what we do not know made readable."""
    if tool in NAMES:
        return speech.say(NAMES[tool])
    if (words := foreign.words_for(tool)) is not None:
        effect = words({})
        return speech.say(effect.sentence, effect.facts)
    return tool.replace("_", " ").strip().capitalize()


def in_a_list(speech: Speech, tool: str) -> str:
    """The same in the middle of a sentence: "refund an order"."""
    name = ability(speech, tool)
    return name[:1].lower() + name[1:]
