"""The mail server and the shop fail in every way: T1, T2, E2 and E3 of RELIABILITY C."""

from email.message import EmailMessage

import pytest

from app.demo.mailbox.faults import Fault, Moment
from app.notifications.post_office import SmtpPostOffice
from app.runs.states import CallStatus, RunStatus
from tests.faults.judge import complaints
from tests.faults.scene import Scene

pytestmark = pytest.mark.thorough
BEFORE_THE_DOT = (Moment.EHLO, Moment.MAIL, Moment.RCPT, Moment.DATA)


async def worked(scene: Scene) -> None:
    """A customer writes, Nadia says yes, all comes to rest."""
    scene.noes = 0
    await scene.worker()
    await scene.write()
    await scene.at_rest(20, share_settled=0)


@pytest.mark.parametrize("reply", ["451 4.3.0 Later", "550 5.7.1 No", ""], ids=["4xx", "5xx", "cut"])
@pytest.mark.parametrize("moment", BEFORE_THE_DOT)
async def test_e2_refused_before_the_final_dot_the_mail_has_certainly_not_been_sent(
    scene: Scene, moment: Moment, reply: str
) -> None:
    scene.around.faults.plan(Fault(moment, reply=reply, drop=not reply, times=2 if moment is Moment.EHLO else 1))
    await worked(scene)

    (answered,), (run,) = await scene.calls("send_reply"), await scene.runs()
    assert answered.status is CallStatus.FAILED and not scene.around.mails()
    assert run.status is RunStatus.DONE
    assert await complaints(scene) == []


async def test_e2_refused_at_the_final_dot_it_has_certainly_not_been_sent(scene: Scene) -> None:
    scene.around.faults.plan(Fault(Moment.DOT, reply="554 5.6.0 No"))
    await worked(scene)

    (answered,) = await scene.calls("send_reply")
    assert answered.status is CallStatus.FAILED and not scene.around.mails()
    assert await complaints(scene) == []


async def test_e3_the_reply_lost_after_the_final_dot_leaves_an_employees_mail_uncertain(scene: Scene) -> None:
    scene.around.faults.plan(Fault(Moment.DOT, drop=True))
    await worked(scene)

    (answered,) = await scene.calls("send_reply")
    assert answered.status is CallStatus.UNCERTAIN and len(scene.around.mails()) == 1
    assert await complaints(scene) == []


async def gone(scene: Scene) -> bool:
    """Whether every mail of the house has left."""
    return not await scene.house_mails_left()


@pytest.mark.parametrize("moment", [*BEFORE_THE_DOT, Moment.DOT])
async def test_e3_a_mail_of_the_house_comes_once_more_under_the_same_name(scene: Scene, moment: Moment) -> None:
    scene.around.faults.plan(Fault(moment, drop=True))
    await scene.remind()
    await scene.worker()
    await scene.until(lambda: gone(scene))

    names = [name for name, _ in scene.around.mails()]
    assert len(names) == (2 if moment is Moment.DOT else 1) and len(set(names)) == 1


async def test_t1_a_mail_server_that_nobody_reaches_has_certainly_taken_nothing(scene: Scene) -> None:
    scene.settings = scene.settings.model_copy(update={"smtp_url": "smtp://127.0.0.1:9"})
    await worked(scene)

    (answered,) = await scene.calls("send_reply")
    assert answered.status is CallStatus.FAILED
    assert await complaints(scene) == []


@pytest.mark.parametrize(("times", "became"), [(1, CallStatus.DONE), (3, CallStatus.UNCERTAIN)])
async def test_t2_booked_and_not_answered_it_is_asked_again_under_its_key_and_booked_once(
    scene: Scene, times: int, became: CallStatus
) -> None:
    scene.around.no_answer_from_shop += [1] * times
    await worked(scene)

    (refund,) = await scene.calls("refund_order")
    assert refund.status is became
    assert scene.around.refunds()["MC-5001"] == 1


async def test_a_line_of_one_dot_does_not_end_a_mail(scene: Scene) -> None:
    post, mail = SmtpPostOffice(scene.settings.smtp_url), EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = "camille@example.com", "emma@example.com", "<dots@placet>"
    mail.set_content("Hello\n.\n..two\nthe end\n")
    await post.send(mail)

    (arrived,) = scene.around.mailbox.mails()
    assert arrived.body == "Hello\n.\n..two\nthe end\n"
