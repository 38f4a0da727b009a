"""A customer's reply goes on with their conversation; nobody else's does."""

from email.message import EmailMessage

from app.demo.mails import late_parcel
from tests.people import Cast
from tests.world import World


def reply_to(sent: str, sender: str, number: int = 1) -> EmailMessage:
    """A mail that answers one of ours."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, "service@maison-colibri.example", "Re: ma commande"
    mail["Message-ID"], mail["In-Reply-To"] = f"<reply-{number}@example.fr>", sent
    mail.set_content("Merci ! Et la tasse bleue, elle est en stock ?")
    return mail


async def answered(world: World, people: Cast) -> str:
    """Paul's mail is answered; gives back the Message-ID of what was sent."""
    await world.mail(people, late_parcel())
    await world.work()
    ((approval, _),) = await world.pending(people.company)
    await world.answer(people.nadia, approval.id, "approve")
    await world.work()
    (mail,) = world.mailbox.mails()
    return mail.message_id


async def test_a_reply_goes_on_with_the_conversation(world: World, people: Cast) -> None:
    sent = await answered(world, people)
    await world.mail(people, reply_to(sent, "paul.mercier@example.fr"))
    await world.work()

    first, second = await world.runs(people.company)
    assert first.conversation_id == second.conversation_id
    assert len(await world.calls(people.company, "read_mail")) == 2
    requests = (await world.practice.get("/practice/requests")).json()
    assert requests["status_400"] == 0 and requests["answers"] >= 4


async def test_somebody_else_who_knows_the_id_starts_their_own(world: World, people: Cast) -> None:
    sent = await answered(world, people)
    await world.mail(people, reply_to(sent, "tom.reed@example.org"))

    first, second = await world.runs(people.company)
    assert first.conversation_id != second.conversation_id
