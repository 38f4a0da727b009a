"""Is this process alive, and can it work?"""

from fastapi import APIRouter
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from app.database.migrate import current_version, newest_version
from app.web.house import house_of

router = APIRouter()


@router.get("/healthz", name="healthz")
async def get_healthz() -> Response:
    """The process answers."""
    return PlainTextResponse("alive\n")


@router.get("/readyz", name="readyz")
async def get_readyz(request: Request) -> Response:
    """The database answers, and its tables are of this version."""
    try:
        async with house_of(request).database.engine.connect() as connection:
            found = await connection.run_sync(current_version)
    except (SQLAlchemyError, OSError):
        return PlainTextResponse("the database does not answer\n", status_code=503)
    if found != newest_version():
        return PlainTextResponse("the tables are of another version\n", status_code=503)
    return PlainTextResponse("ready\n")
