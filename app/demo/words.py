"""Which language do the demo's shop and mailbox speak? English, or French for a French browser.

They stand in for other people's software, so their few words are not in Placet's catalogues.
"""

from collections.abc import Callable

from babel.core import default_locale

FRENCH = {
    "Orders": "Commandes",
    "The back office of the demo's shop. Nothing here is real; no money moves.": (
        "L’arrière-boutique de la démonstration. Rien n’est réel ici, aucun argent ne circule."
    ),
    "Order": "Commande",
    "Customer": "Cliente ou client",
    "What was ordered": "Articles",
    "Status": "État",
    "Paid": "Payé",
    "Refunds": "Remboursements",
    "none": "aucun",
    "Shipping": "Frais de port",
    "delivered": "livrée",
    "in transit": "en route",
    "preparing": "en préparation",
    "cancelled": "annulée",
    "Mailbox of the demo": "Boîte aux lettres de la démonstration",
    "Every mail that the demo sends ends here. None leaves this machine.": (
        "Tous les e-mails envoyés par la démonstration arrivent ici. Aucun ne quitte cette machine."
    ),
    "Mails": "E-mails",
    "No mail yet.": "Aucun e-mail pour l’instant.",
    "From": "De",
    "To": "À",
    "Subject": "Objet",
    "Received": "Reçu",
    "(no subject)": "(sans objet)",
    "All mails": "Tous les e-mails",
    "This mail came more than once:": "Cet e-mail est arrivé plusieurs fois :",
    "There is no such mail.": "Cet e-mail n’existe pas.",
}


def choose_language(accepted: str) -> str:
    """The first of our languages that the browser names, weights aside; English otherwise."""
    for part in accepted.split(","):
        language = part.split(";")[0].strip().lower()[:2]
        if language in ("en", "fr"):
            return language
    return "en"


def language_of_this_machine() -> str:
    """The language of whoever types the command, as their locale names it ("fr_FR.UTF-8"); English otherwise."""
    return choose_language(default_locale("LC_MESSAGES") or "")


def words(language: str) -> Callable[[str], str]:
    """The translation of a word into this language; a word that is not ours stays as it is."""
    return (lambda english: FRENCH.get(english, english)) if language == "fr" else str
