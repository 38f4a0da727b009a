"""Who did what, and when?"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, field_validator
from starlette.responses import Response

from app.audit.events import Event
from app.audit.queries import Wanted
from app.web.dependencies import SeesJournal
from app.web.show import show
from app.web.tell.journal import journal_page

router = APIRouter()


class Filters(BaseModel):
    """What somebody chose above the journal; an empty choice is none."""

    employee: UUID | None = None
    person: UUID | None = None
    event: Event | None = None
    before: int | None = None
    after: int | None = None

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return None if value == "" else value


@router.get("/journal", name="journal")
async def get_journal(visit: SeesJournal, filters: Annotated[Filters, Query()]) -> Response:
    """A page of the journal."""
    wanted = Wanted(filters.employee, filters.person, filters.event, filters.before, filters.after)
    return await show(visit, "journal/list.html", await journal_page(visit, wanted), active="journal")
