"""What do the mails of the house say? Subject and text, in the person's language, from the common catalogue."""

from app.language.catalogue import LANGUAGES, SOURCE
from app.language.speech import Speech
from app.policy.words import N_

MAILS: dict[str, tuple[str, str]] = {
    "approval_reminder": (
        N_("%(employee)s is waiting for your answer"),
        N_(
            "Hello,\n\n%(employee)s has asked you something and is waiting for your answer.\n\n%(link)s\n\n"
            "If nobody answers, the request is refused by itself: nothing happens without your yes."
        ),
    ),
}


def write(name: str, language: str, facts: dict[str, str]) -> tuple[str, str]:
    """Subject and text of the mail `name`. Raises KeyError for a mail that does not exist."""
    speech = Speech(language if language in LANGUAGES else SOURCE)
    subject, text = MAILS[name]
    return speech.say(subject, facts), speech.say(text, facts)
