"""What happened in a task, and how does one end it?"""

from uuid import UUID

from fastapi import APIRouter
from starlette.responses import Response

from app.runs.cancel import cancel
from app.runs.queries import get_task
from app.web.contexts.chrome import Flash
from app.web.dependencies import Talks
from app.web.show import go_to, show
from app.web.tell.task import run_page

router = APIRouter()


@router.get("/tasks/{run_id}", name="task")
async def get_one(visit: Talks, run_id: UUID) -> Response:
    """Every step of it."""
    task = await get_task(visit.session, run_id, by=visit.member)
    return await show(visit, "runs/show.html", await run_page(visit, task), active="employees")


@router.post("/tasks/{run_id}/cancel", name="task.cancel")
async def post_cancel(visit: Talks, run_id: UUID) -> Response:
    """End it: what is under way finishes, nothing new starts."""
    await get_task(visit.session, run_id, by=visit.member)
    await cancel(visit.session, run_id, by=visit.member)
    line = visit.speech.say("The task is ended. What was under way is brought to its end.")
    return go_to(visit, f"/tasks/{run_id}", Flash(line, tone="wait"))
