"""How does one change a job sheet? By a form that says what would be so, before it is saved."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.responses import HTMLResponse, Response

from app.employees.choices import ToolChoice, tool_choices
from app.employees.draft import Draft
from app.employees.dry_run import dry_run
from app.employees.preview import Preview, preview
from app.employees.queries import Employee as Record
from app.employees.queries import get_decided_employee
from app.employees.revise import ChangedMeanwhile, revise
from app.employees.valid import DraftInvalid
from app.employees.versions import version_of
from app.identity.queries import members
from app.language.templates import render
from app.web.contexts.chrome import Flash
from app.web.contexts.job_sheet import EditPage, Theirs
from app.web.dependencies import ChangesJobSheet, Operation
from app.web.sheet_form.drafted import drafted
from app.web.sheet_form.read import read_form, with_row, without_row
from app.web.sheet_form.typed import Typed, typed_of
from app.web.show import go_to, show
from app.web.tell.dry_run import dry_run_part
from app.web.tell.sheet_changes import difference_lines
from app.web.tell.sheet_edit import edit_page
from app.web.tell.sheet_preview import preview_part
from app.web.visit import Visit

router = APIRouter()
TEMPLATE = "job_sheets/edit.html"
FIRST = {"exceptions": "text", "ceilings": "limit"}
Do = Annotated[
    str, Form(pattern=r"^(save|preview|dry_run|add\.(exceptions|ceilings)|drop\.(exceptions|ceilings)\.\d{1,3})$")
]


@dataclass(frozen=True)
class Meant:
    """What was typed, understood once: the draft that it is, what is wrong with it, and what it would lead to."""

    typed: Typed
    choices: Mapping[str, ToolChoice]
    draft: Draft
    wrong: Mapping[str, str]
    told: Preview


@router.get("/employees/{agent_id}/job-sheet/edit", name="job_sheet.edit")
async def get_edit(visit: ChangesJobSheet, agent_id: UUID) -> Response:
    """The form, as the job sheet is now."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    now = await version_of(visit.session, agent_id)
    meant = await _understood(visit, record, typed_of(now.draft, now.version))
    return await _shown(visit, await _page(visit, record, meant))


@router.post("/employees/{agent_id}/job-sheet/edit", name="job_sheet.save")
async def post_edit(visit: ChangesJobSheet, agent_id: UUID, operation: Operation, do: Do = "preview") -> Response:
    """Save, look, try on what happened, or one row more or fewer; only saving changes anything."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    typed = read_form(await visit.request.form())
    action, _, row = do.partition(".")
    if action in ("add", "drop"):
        return await _shown(visit, await _other_rows(visit, record, typed, action, row))
    meant = await _understood(visit, record, typed)
    if meant.wrong or action == "preview":
        page = await _page(visit, record, meant, meant.wrong)
        return await _shown(visit, page, status=422 if action == "save" else 200)
    if action == "dry_run":
        done = dry_run_part(visit.speech, await dry_run(visit.session, agent_id, meant.draft, by=visit.member))
        return await _shown(visit, replace(await _page(visit, record, meant), dry_run=done))
    return await _save(visit, record, meant, operation)


@router.post("/employees/{agent_id}/job-sheet/preview", name="job_sheet.preview")
async def post_preview(visit: ChangesJobSheet, agent_id: UUID) -> Response:
    """Only what would be so, for the page on which somebody is writing."""
    record = await get_decided_employee(visit.session, agent_id, by=visit.member)
    meant = await _understood(visit, record, read_form(await visit.request.form()))
    part = await preview_part(visit, meant.told, meant.draft)
    return HTMLResponse(render(visit.house.templates, "job_sheets/_preview.html", visit.speech, {"preview": part}))


async def _save(visit: Visit, record: Record, meant: Meant, operation: UUID) -> Response:
    based_on = meant.typed.based_on
    try:
        async with visit.session.begin_nested():  # what a refused save had begun is undone; the page is still shown
            version = await revise(
                visit.session, record.id, meant.draft, based_on=based_on, by=visit.member, operation=operation
            )
    except DraftInvalid as error:
        return await _shown(visit, await _page(visit, record, meant, error.fields), status=error.status)
    except ChangedMeanwhile as error:
        theirs = Theirs(str(error.facts["who"]), error.version, await difference_lines(visit, error.theirs))
        now = await _understood(visit, record, replace(meant.typed, based_on=error.version))
        return await _shown(visit, replace(await _page(visit, record, now), theirs=theirs), status=error.status)
    say = visit.speech.say
    line = say("Saved. Version %(number)s counts from now on.", {"number": version})
    if version == based_on:
        line = say("Nothing was different, so nothing was saved.")
    return go_to(visit, f"/employees/{record.id}/job-sheet", Flash(line))


async def _other_rows(visit: Visit, record: Record, typed: Typed, action: str, row: str) -> EditPage:
    sort, _, place = row.partition(".")
    typed = with_row(typed, sort) if action == "add" else without_row(typed, sort, int(place))
    page = await _page(visit, record, await _understood(visit, record, typed))
    rows = typed.exceptions if sort == "exceptions" else typed.ceilings
    return replace(page, focus=f"{sort}.{len(rows) - 1}.{FIRST[sort]}" if action == "add" else f"add.{sort}")


async def _understood(visit: Visit, record: Record, typed: Typed) -> Meant:
    base = await version_of(visit.session, record.id, typed.based_on)
    choices = await tool_choices(visit.session, record.template)
    built_in = [name for name, choice in choices.items() if choice.built_in]
    amounts = {name for choice in choices.values() for name in choice.amounts}
    draft, unread = drafted(typed, base.draft, built_in=built_in, amounts=amounts)
    told = await preview(visit.session, record.id, draft, by=visit.member)
    return Meant(typed, choices, draft, {**told.problems, **unread}, told)


async def _page(visit: Visit, record: Record, meant: Meant, wrong: Mapping[str, str] | None = None) -> EditPage:
    part = await preview_part(visit, meant.told, meant.draft)
    colleagues = await members(visit.session)
    return edit_page(visit, record, meant.typed, meant.choices, colleagues, part, wrong or {})


async def _shown(visit: Visit, page: EditPage, *, status: int = 200) -> Response:
    return await show(visit, TEMPLATE, page, active="employees", status=status)
