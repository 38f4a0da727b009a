"""How is an "always in this conversation" taken back?"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.approvals.grants import revoke
from app.web.contexts.chrome import Flash
from app.web.dependencies import Decides
from app.web.show import go_to

router = APIRouter()


@router.post("/grants/{grant_id}/take-back", name="grant.take_back")
async def post_take_back(visit: Decides, grant_id: UUID, next: Annotated[str, Form()] = "/inbox") -> Response:
    """From now on it asks again; that it had ended already is fine."""
    await revoke(visit.session, grant_id, by=visit.member)
    return go_to(visit, next, Flash(visit.speech.say("Taken back: from now on it asks again.")))
