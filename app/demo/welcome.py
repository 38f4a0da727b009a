"""What does a newcomer read when the demo is up? The address, who to sign in as, and what to do first."""

from app.demo.parts import Demo
from app.demo.people import CAMILLE_MAIL, PEOPLE
from app.demo.ports import HERE


def welcome(demo: Demo) -> str:
    """The text; it names what is real and what only practises."""
    people = [f"    {each.name + ', ' + each.role:<16} {each.email:<34} {each.password}" for each in PEOPLE]
    return "\n".join(
        [
            "",
            f"  Placet is running.  Open {demo.public_url}",
            "",
            f"    {'Sign in as':<16} {'e-mail':<34} password",
            *people,
            *(["    Everybody in your network can sign in with these passwords."] if demo.open_to_others else []),
            "",
            "  What to do first",
            "    1. Sign in as Nadia. Three customers wrote; the inbox shows what Camille wants to do about it.",
            "    2. Let one answer go out, change another before it goes, refuse the third with a word.",
            f"    3. {_mail(demo)}",
            "    4. Open a task: every step, which rule decided it, what it cost. Then give Camille a task yourself.",
            f"    5. Write to her as a customer: {CAMILLE_MAIL}, by SMTP to {HERE} port {demo.ports.mail_in}.",
            "",
            f"  {_model(demo)}",
            f"  Data: {demo.place.data}    Stop: Ctrl-C",
            "",
        ]
    )


def _mail(demo: Demo) -> str:
    if demo.own_mailbox:
        return f"See what really left: http://{HERE}:{demo.ports.mailbox_page} (nothing leaves this machine)."
    return "Mail leaves for real, through SMTP_URL."


def _model(demo: Demo) -> str:
    if demo.practice:
        return "A practice model answers: a script on this machine. For a real one: ANTHROPIC_API_KEY=… placet demo"
    where = demo.settings.anthropic_base_url or "its provider"
    return f"The model is {demo.settings.placet_model}, at {where}."
