"""What does Camille write to a customer? The mail's paragraphs, from what is known and what a manager asked for."""

from app.model.practice.scenarios.case import Case
from app.model.practice.scenarios.shop_results import product_lines
from app.model.practice.scenarios.words import day, status
from app.model.practice.talk import Became


def subject(case: Case) -> str:
    """The customer's own subject, answered."""
    told = case.letter.subject
    return told if told.lower().startswith("re:") else f"Re: {told}"


def body(case: Case) -> str:
    """The whole mail: greeting, what it is about, what a manager's word changes, goodbye."""
    is_short = case.wish.shorter or _was_refused_without_a_word(case)
    core = _core(case)
    paragraphs = [
        case.say("hello") if case.name else case.say("hello_nobody"),
        *([case.say("warm")] if case.wish.warmer else []),
        *(core[-1:] if is_short else core),
        *_taken_up(case),
        case.say("goodbye_short" if is_short else "goodbye"),
    ]
    return "\n\n".join(paragraphs)


def _was_refused_without_a_word(case: Case) -> bool:
    """Nothing says what to change; the same again would be refused, so it becomes shorter."""
    return bool(case.refused("send_reply")) and not case.wish.word


def why(case: Case) -> str:
    """The reason a manager reads beside the mail."""
    if case.refused("refund_order"):
        return case.say("why_offer", by=case.by)
    if case.refused("send_reply"):
        return case.say("why_again", by=case.by)
    if case.is_complaint:
        return case.say("why_reply_broken")
    if case.order is not None:
        return case.say("why_reply_status" if case.letter.asks_where else "why_reply_received")
    return case.say("why_reply_product" if case.talk.calls("search_catalogue") else "why_reply_ask")


def _core(case: Case) -> list[str]:
    if case.is_complaint:
        return _about_damage(case)
    if case.order is not None:
        return _about_status(case)
    searched = case.talk.last("search_catalogue")
    if searched is not None and searched.became is Became.DONE:
        lines = product_lines(case.letter.language, searched.outcome.data)
        return [case.say("products"), "\n".join(lines)] if lines else [case.say("no_product")]
    return [case.say("ask_order")]


def _about_damage(case: Case) -> list[str]:
    opening = case.say("follow_up") if case.done("send_reply") else case.say("sorry_broken")
    return [opening, *_about_money(case)]


def _about_money(case: Case) -> list[str]:
    """The refund, or what is offered in its place, as things stand at this moment."""
    wish = case.wish
    if case.booked is not None:
        return [case.say("refund_done", amount=case.money(case.booked))]
    if wish.replacement and not wish.voucher:
        return [case.say("offer_replacement")]
    if wish.voucher or case.refused("refund_order"):
        return [case.say("offer_voucher", amount=case.money(wish.amount or case.amount))]
    return [case.say("refund_asked", amount=case.money(case.amount))] if case.amount > 0 else []


def _about_status(case: Case) -> list[str]:
    order = case.order
    if order is None:
        return []
    told = status(case.letter.language, order.status)
    spoken = case.letter.language
    dated = case.say("status", date=day(spoken, order.ordered_on), status=told)
    lines = [dated if order.ordered_on else case.say("status_dateless", status=told)]
    if order.status == "delivered":
        lines.append(case.say("delivered_hint"))
    else:
        lines.append(case.say("tracking", tracking=order.tracking) if order.tracking else case.say("no_tracking"))
        if order.expected_on:
            lines.append(case.say("expected", date=day(spoken, order.expected_on)))
    return lines if case.letter.asks_where else [case.say("received"), *lines, case.say("more_please")]


def _taken_up(case: Case) -> list[str]:
    """What the manager's word adds: a sentence of theirs, or the word itself where it was not understood.

    A word about the refund is for us, not for the customer.
    """
    wish = case.wish
    if wish.sentence:
        return [wish.sentence]
    if case.refused("send_reply") and wish.word and not wish.is_understood:
        return [case.say("manager_adds", word=wish.word)]
    return []
