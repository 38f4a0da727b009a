"""What was said with an employee, and what does one say to it?"""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.conversations.queries import get_talk
from app.conversations.say import NothingSaid, say
from app.employees.queries import get_employee
from app.web.dependencies import Operation, Talks
from app.web.show import go_to, show
from app.web.tell.conversation import conversation_page, say_field

router = APIRouter()
TEMPLATE = "conversations/show.html"


@router.get("/conversations/{conversation_id}", name="conversation")
async def get_conversation(visit: Talks, conversation_id: UUID, before: datetime | None = None) -> Response:
    """The conversation, its newest part first."""
    talk = await get_talk(visit.session, conversation_id, by=visit.member)
    return await show(visit, TEMPLATE, await conversation_page(visit, talk, before=before), active="employees")


@router.post("/conversations/{conversation_id}/messages", name="conversation.say")
async def post_message(
    visit: Talks, conversation_id: UUID, operation: Operation, text: Annotated[str, Form(max_length=100_000)] = ""
) -> Response:
    """Say something, also while the employee waits."""
    talk = await get_talk(visit.session, conversation_id, by=visit.member)
    try:
        await say(visit.session, conversation_id, text, by=visit.member, operation=operation)
    except NothingSaid as error:
        record = await get_employee(visit.session, talk.agent_id)
        field = say_field(visit, record, value=text, error=visit.speech.say(error.sentence))
        page = await conversation_page(visit, talk, say=field)
        return await show(visit, TEMPLATE, page, active="employees", status=error.status)
    return go_to(visit, f"/conversations/{conversation_id}")
