"""What waits, what was done, what stopped?"""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.web.dependencies import SeesInbox
from app.web.show import show
from app.web.tell.inbox import inbox_page

router = APIRouter()


@router.get("/inbox", name="inbox")
async def get_inbox(visit: SeesInbox, skip: Annotated[int, Query(ge=0, le=100_000)] = 0) -> Response:
    """Where a manager begins."""
    return await show(visit, "inbox/list.html", await inbox_page(visit, skip=skip), active="inbox")
