"""What can employees do at all?"""

from fastapi import APIRouter
from starlette.responses import Response

from app.web.dependencies import SeesEmployees
from app.web.show import show
from app.web.tell.all_abilities import abilities_page

router = APIRouter()


@router.get("/abilities", name="abilities")
async def get_abilities(visit: SeesEmployees) -> Response:
    """Everything that exists, ours and other services'."""
    return await show(visit, "abilities/list.html", await abilities_page(visit), active="abilities")
