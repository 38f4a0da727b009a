"""How is the history of a job sheet told?"""

from collections.abc import Sequence

from app.employees.queries import Employee as Record
from app.employees.versions import Step
from app.identity.queries import names_of
from app.web.contexts.job_sheet import HistoryPage, VersionLine
from app.web.tell.people import employee, person
from app.web.tell.sheet_changes import difference_lines
from app.web.visit import Visit


async def history_page(visit: Visit, record: Record, steps: Sequence[Step]) -> HistoryPage:
    """Every version, the newest first."""
    names = await names_of(visit.session, [step.made_by for step in steps])
    url = f"/employees/{record.id}/job-sheet"
    lines = [
        VersionLine(
            version=step.version,
            url=f"{url}?version={step.version}",
            at=step.made_at,
            by=person(visit.speech, visit.member, step.made_by, names),
            lines=await difference_lines(visit, step.changed),
            in_force=step.version == record.sheet_version,
        )
        for step in steps
    ]
    return HistoryPage(employee(visit, record), url, tuple(lines))
