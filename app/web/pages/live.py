"""Where does an open page hear of changes?"""

from fastapi import APIRouter
from starlette.responses import Response, StreamingResponse

from app.web.dependencies import SeesInbox

router = APIRouter()
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx would hold events back


@router.get("/live", name="live")
async def get_live(visit: SeesInbox) -> Response:
    """A stream of events; the transaction of this request is over before it begins."""
    live = visit.house.live
    stream = live.open(visit.member, visit.signed_in.id)
    return StreamingResponse(live.events(stream), media_type="text/event-stream", headers=HEADERS)
