"""What is asked, and what does a person answer?"""

from collections.abc import Mapping
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Form
from pydantic import JsonValue
from starlette.responses import Response

from app.approvals.always import NotOffered, Width
from app.approvals.answer import AlreadyDecided, Answer, ChangeInvalid, TooLate, Verdict, answer
from app.approvals.queries import Asked, get_asked, get_asked_to_decide, ids_waiting_for
from app.approvals.still_valid import NoLongerValid
from app.language.speech import N_
from app.runs.settle import Settlement, settle
from app.tool_servers.tools import tool_named
from app.web.contexts.chrome import Flash
from app.web.dependencies import Decides, Operation, SeesInbox
from app.web.forms import errors_in, read_changes
from app.web.show import go_to, show
from app.web.tell.effects import title
from app.web.tell.request import Draft, request_page
from app.web.visit import Visit

router = APIRouter()
TEMPLATE = "requests/show.html"
Choice = Literal["approve", "change", "reject", "always"]
DONE: dict[Choice, str] = {
    "approve": N_("Approved: %(title)s"),
    "change": N_("Approved with your changes: %(title)s"),
    "reject": N_("Rejected: %(title)s"),
    "always": N_("Approved, and not asked again in this conversation: %(title)s"),
}
SETTLED = {"happened": Settlement.HAPPENED, "not_happened": Settlement.DID_NOT_HAPPEN, "do_it": Settlement.DO_IT}


@router.get("/requests/{approval_id}", name="request")
async def get_request(visit: SeesInbox, approval_id: UUID, open: Literal["", "change", "reject"] = "") -> Response:
    """One request, whole."""
    asked = await get_asked(visit.session, approval_id, by=visit.member)
    return await show(visit, TEMPLATE, await request_page(visit, asked, Draft(open)), active="inbox")


@router.post("/requests/{approval_id}/answer", name="request.answer")
async def post_answer(
    visit: Decides,
    approval_id: UUID,
    verdict: Annotated[Choice, Form()],
    operation: Operation,
    word: Annotated[str, Form(max_length=20_000)] = "",
    scope: Annotated[Width, Form()] = Width.NARROW,
) -> Response:
    """Approve (this one or always), change and approve, or reject; then on to the next one that waits."""
    asked = await get_asked_to_decide(visit.session, approval_id, by=visit.member)
    waiting = await ids_waiting_for(visit.session, by=visit.member)
    changed, errors = await _changes(visit, asked) if verdict == "change" else (None, {})
    if errors:
        return await _again(visit, asked, Draft("change", changed or {}, errors), status=422)
    always = scope if verdict == "always" else None
    given = Answer(Verdict.REJECT if verdict == "reject" else Verdict.APPROVE, word, changed, always)
    try:
        async with visit.session.begin_nested():  # what a refused answer had begun is undone; the page is still shown
            await answer(visit.session, approval_id, given, by=visit.member, operation=operation)
    except (AlreadyDecided, TooLate, NoLongerValid, ChangeInvalid, NotOffered) as error:
        return await _refused(visit, asked, error, changed or {})
    line = visit.speech.say(
        DONE[verdict], {"title": title(visit.speech, asked.tool, {**asked.arguments, **(changed or {})})}
    )
    return go_to(visit, _next(waiting, approval_id), _flash(visit, asked, verdict, line))


@router.post("/calls/{call_id}/settle", name="call.settle")
async def post_settle(
    visit: Decides,
    call_id: UUID,
    verdict: Annotated[Literal["happened", "not_happened", "do_it"], Form()],
    operation: Operation,
) -> Response:
    """A person has looked, and says whether it happened."""
    await settle(visit.session, call_id, SETTLED[verdict], by=visit.member, operation=operation)
    return go_to(visit, "/inbox", Flash(visit.speech.say("Thank you. The employee is told what you found.")))


def _flash(visit: Visit, asked: Asked, verdict: Choice, line: str) -> Flash:
    """What happened, and where to see it; where to take it back, if it holds for longer."""
    if verdict == "always":
        url = f"/conversations/{asked.conversation_id}#grants"
        return Flash(line, url=url, url_text=visit.speech.say("Show it, or take it back"), follow=str(asked.id))
    follow = "" if verdict == "reject" else str(asked.id)
    return Flash(line, url=f"/requests/{asked.id}", url_text=visit.speech.say("Show it"), follow=follow)


async def _changes(visit: Visit, asked: Asked) -> tuple[dict[str, JsonValue], dict[str, str]]:
    """What a person wrote into the form of changes, and what of it does not fit; of what is gone nothing is read."""
    tool = await tool_named(visit.session, asked.tool)
    if tool is None:
        return {}, {}  # the answer is refused, and says why
    changed = read_changes(tool, await visit.request.form(), asked.arguments)
    return changed, errors_in(visit.speech, tool, changed, asked.arguments)


async def _refused(
    visit: Visit,
    asked: Asked,
    error: AlreadyDecided | TooLate | NoLongerValid | ChangeInvalid | NotOffered,
    changed: Mapping[str, JsonValue],
) -> Response:
    """The answer did not count: the page as it is now says why, kindly."""
    now = await get_asked(visit.session, asked.id, by=visit.member)
    mine = now.decided_by == visit.member.user_id
    draft = Draft(conflict=isinstance(error, AlreadyDecided) and not mine)
    if isinstance(error, ChangeInvalid):
        draft = Draft("change", changed, form_error=visit.speech.say(error.sentence))
    elif isinstance(error, NotOffered):
        draft = Draft(form_error=visit.speech.say(error.sentence))
    return await _again(visit, now, draft, status=error.status)


async def _again(visit: Visit, asked: Asked, draft: Draft, *, status: int) -> Response:
    return await show(visit, TEMPLATE, await request_page(visit, asked, draft), active="inbox", status=status)


def _next(waiting: list[UUID], answered: UUID) -> str:
    """The one after it, or the first of the rest, or the inbox."""
    rest = [one for one in waiting if one != answered]
    after = waiting.index(answered) if answered in waiting else 0
    return f"/requests/{rest[after if after < len(rest) else 0]}" if rest else "/inbox"
