"""What does Camille do with a customer's mail? The steps in their order: the first that has something to do speaks.

Read the mail, look things up, answer (and propose a refund), take up what a person refused, hand over, conclude.
"""

import re

from app.model.practice.reply import Reply, Think, Use, say, turn
from app.model.practice.scenarios import closing, reply_mail
from app.model.practice.scenarios.case import TROUBLE, Case
from app.model.practice.scenarios.shop_results import left_to_refund_in, listed
from app.model.practice.talk import Became, Step, Talk

_ARRIVED = re.compile(
    r"\b(?:e-?mail|mail|courriel|message|letter)\b.*\b(?:arriv\w+|receiv\w+|came in|new|waiting|reçu\w*|nouve\w+)|"
    r"\b(?:arriv\w+|receiv\w+|new|reçu\w*|nouve\w+)\b.*\b(?:e-?mail|mail|courriel|message|letter)\b|\bread_mail\b",
    re.I | re.S,
)
# Errors of the lookup that say something of us, not of the order.
_OUR_TROUBLE = re.compile(
    r"\b(reference|unavailable|does not answer|later|time-?out|timed out|try again|failed)\b", re.I
)
MOST_DRAFTS_REFUSED = 2


def applies(talk: Talk) -> bool:
    """The task says that a mail came, or one was already read for it."""
    return bool(talk.calls("read_mail")) or ("read_mail" in talk.tools and _ARRIVED.search(talk.task) is not None)


def play(talk: Talk) -> Reply:
    """The next turn of work on this mail."""
    case = Case(talk)
    return next((reply for step in STEPS if (reply := step(case))), None) or say(closing.conclude(talk))


def open_the_mail(case: Case) -> Reply | None:
    """First of all, read it."""
    return None if case.talk.calls("read_mail") else turn(case.talk.use("read_mail"))


def give_up_unread(case: Case) -> Reply | None:
    """A mail that cannot be read is for a person; nothing after this step makes sense without it."""
    if case.done("read_mail"):
        return None
    return _note_once(case) or say(closing.conclude(case.talk))


def look_up(case: Case) -> Reply | None:
    """Find out what the answer needs; report instructions found in the mail at the same time."""
    letter, talk = case.letter, case.talk
    order = product = None
    if letter.order and not talk.calls("lookup_order"):
        order = talk.use("lookup_order", order_number=letter.order)
    elif letter.product and not letter.order:
        product = _search(case)
    thought = Think(case.say("thought")) if order and talk.thinks else None
    return turn(thought, order, product, _report(case))


def _search(case: Case) -> Use | None:
    """By the customer's words, and once more by the last of them if nothing was found."""
    searches = case.talk.calls("search_catalogue")
    last_word = case.letter.product.split()[-1]
    if not searches:
        return case.talk.use("search_catalogue", query=case.letter.product)
    found = listed(searches[-1].outcome.data, "products")
    is_first = len(searches) == 1 and last_word != case.letter.product
    return case.talk.use("search_catalogue", query=last_word) if is_first and not found else None


def _report(case: Case) -> Use | None:
    """An instruction in a mail is told to a person, not followed."""
    line = case.letter.instruction
    if not line or case.talk.calls("tell_manager"):
        return None
    return case.use("tell_manager", case.say("why_report"), note=case.say("note_instruction", line=line))


def answer(case: Case) -> Reply | None:
    """The draft, the reply, and the refund where something arrived broken: together, so that a person sees all."""
    talk = case.talk
    if talk.calls("send_reply", "save_draft", "refund_order") or _lookup_is_our_trouble(case):
        return None
    mail = {"subject": reply_mail.subject(case), "body": reply_mail.body(case)}
    draft = case.use("save_draft", case.say("why_draft"), **mail) if case.order else None
    reply = case.use("send_reply", reply_mail.why(case), **mail)
    if reply is None and draft is None:
        draft = case.use("save_draft", case.say("why_draft"), **mail)
    return turn(draft, reply, _refund(case))


def _refund(case: Case) -> Use | None:
    if not case.is_complaint or case.amount <= 0:
        return None
    why = case.say("why_refund")
    return case.use("refund_order", why, amount=str(case.amount), reason=why)


def correct_the_refund(case: Case) -> Reply | None:
    """The shop names the most that it takes: ask for that, once."""
    refunds = case.talk.calls("refund_order")
    if len(refunds) != 1 or refunds[0].became is not Became.FAILED:
        return None
    possible = left_to_refund_in(refunds[0].outcome.text)
    if possible is None or not 0 < possible < case.amount:
        return None
    why = case.say("why_refund_less")
    return turn(case.use("refund_order", why, amount=str(possible), reason=case.say("why_refund")))


def take_up_a_refusal(case: Case) -> Reply | None:
    """Something else in place of what a person refused: an offer for a refund, another mail for a mail."""
    drafts = case.refused("send_reply")
    refusals = [*drafts, *case.refused("refund_order")]
    if not refusals or len(drafts) >= MOST_DRAFTS_REFUSED:
        return None
    latest = max(step.turn for step in refusals)
    if case.tried_after("send_reply", latest):
        return None
    mail = {"subject": reply_mail.subject(case), "body": reply_mail.body(case)}
    return turn(case.use("send_reply", reply_mail.why(case), **mail))


def hand_over(case: Case) -> Reply | None:
    """Two refused mails, an error, silence, or nobody knows: a person takes it from here."""
    return _note_once(case) if _open_problems(case) else None


def _open_problems(case: Case) -> list[Step]:
    drafts = case.refused("send_reply")
    refused = drafts if len(drafts) >= MOST_DRAFTS_REFUSED else []
    trouble = [step for step in case.talk.steps if step.became in TROUBLE and step.tool != "tell_manager"]
    asked_customer = [] if _lookup_is_our_trouble(case) else case.talk.calls("lookup_order")
    corrected = case.done("refund_order")
    return [
        *(step for step in trouble if step not in asked_customer and not (corrected and step.tool == "refund_order")),
        *refused,
    ]


def _note_once(case: Case) -> Reply | None:
    """Tell the manager what is open, unless that was tried since it came up."""
    problems = _open_problems(case)
    latest = max((step.turn for step in problems), default=0)
    if case.tried_after("tell_manager", latest):
        return None
    spoken = case.letter.language
    told = " ".join(
        f"{case.say('problem', what=closing.named(spoken, step), reason=closing.reason(spoken, step))}."
        for step in problems
    )
    return turn(case.use("tell_manager", case.say("why_note"), note=case.say("note_open", problems=told)))


def _lookup_is_our_trouble(case: Case) -> bool:
    """True when the lookup went wrong on our side: then nothing is to be asked of the customer."""
    looked = case.talk.last("lookup_order")
    if looked is None or looked.became is Became.DONE:
        return False
    return looked.became is not Became.FAILED or _OUR_TROUBLE.search(looked.outcome.text) is not None


STEPS = (open_the_mail, give_up_unread, look_up, answer, correct_the_refund, take_up_a_refusal, hand_over)
