"""What does the page of a job sheet show: what it is for, what it may do, and how much of its limits is used?"""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from app.ceilings.queries import Standing, standings
from app.ceilings.uses import used_today
from app.employees.draft import exception_to_json
from app.employees.queries import Employee as Record
from app.employees.queries import get_sheet, matrix, sheet_versions
from app.employees.quoted import quoted
from app.employees.versions import Version, version_of
from app.identity.queries import names_of
from app.identity.roles import Permission
from app.language.words import kind_word
from app.policy.decision import StandingException
from app.policy.explain import Row
from app.web.contexts.chrome import Choice
from app.web.contexts.employees import ExceptionLine, JobSheetPage, MatrixRow, QuotedLine
from app.web.tell.abilities import ability, in_a_list
from app.web.tell.effects import title
from app.web.tell.people import employee, person, persons
from app.web.tell.sheet_words import bounds, limit_sentence
from app.web.visit import Visit

QUOTED = 5


async def job_sheet_page(visit: Visit, record: Record, number: int | None = None) -> JobSheetPage:
    """One version of the job sheet, with its matrix twice: as a task starts, and after something from outside."""
    session, speech = visit.session, visit.speech
    sheet = await get_sheet(session, record, number)
    version = await version_of(session, record.id, sheet.version)
    names = await names_of(session, [sheet.made_by, *version.draft.talkers])
    decides = visit.member.may_for(Permission.CHANGE_JOB_SHEET, record.id)
    return JobSheetPage(
        employee=employee(visit, record),
        version=sheet.version,
        since=sheet.made_at,
        by=person(speech, visit.member, sheet.made_by, names),
        mission=version.draft.mission,
        instructions=version.draft.instructions,
        matrix=tuple(_row(visit, row) for row in matrix(record, sheet)),
        exceptions=await _exceptions(visit, record, version, decides=decides),
        limits=await _limits(visit, record, version, decides=decides),
        outside_rule=sheet.modes.outside_content_rule,
        versions=_versions(visit, record, await sheet_versions(session, record.id), sheet.version),
        can_change=decides,
        quoted=await _quoted(visit, record) if decides else (),
        talkers=persons(visit.member, ((one, names[one]) for one in version.draft.talkers if one in names)),
    )


def _row(visit: Visit, row: Row) -> MatrixRow:
    kind = kind_word(visit.speech, row.kind)
    return MatrixRow(ability(visit.speech, row.tool), "", kind, row.start, row.after_outside)


async def _exceptions(visit: Visit, record: Record, version: Version, *, decides: bool) -> tuple[ExceptionLine, ...]:
    today = datetime.now(ZoneInfo(visit.company.time_zone)).date()  # uses are counted by the company's day
    in_force = version.version == record.sheet_version
    used = await used_today(visit.session, record.id, today) if in_force else {}

    def line(one: StandingException) -> ExceptionLine:
        told = bounds(visit.speech, exception_to_json(one))
        if one.id in used:
            told.append(visit.speech.count("used once today", "used %(number)s times today", used[one.id]))
        about = tuple(in_a_list(visit.speech, tool) for tool in sorted(one.tools))
        url = f"/employees/{record.id}/exceptions/{one.id}/withdraw" if decides and in_force else ""
        return ExceptionLine(one.text, about, " · ".join(told), url)

    return tuple(line(one) for one in version.draft.exceptions)


async def _quoted(visit: Visit, record: Record) -> tuple[QuotedLine, ...]:
    found = await quoted(visit.session, record.id, by=visit.member, most=QUOTED)
    return tuple(
        QuotedLine(title(visit.speech, one.tool, one.arguments), f"/tasks/{one.run_id}", one.at, one.sentence)
        for one in found
    )


async def _limits(visit: Visit, record: Record, version: Version, *, decides: bool) -> tuple[str, ...]:
    """Each limit as a sentence; whoever decides also reads how much of it is used."""
    if not decides or version.version != record.sheet_version:
        return tuple(limit_sentence(visit.speech, one) for one in version.draft.ceilings)
    found = await standings(visit.session, record.id, by=visit.member)
    return tuple(
        visit.speech.say(
            "%(limit)s Used now: %(used)s.",
            {
                "limit": limit_sentence(visit.speech, one.ceiling),
                "used": _amount(one),
            },
        )
        for one in found
    )


def _versions(visit: Visit, record: Record, found: Sequence[tuple[int, datetime]], chosen: int) -> tuple[Choice, ...]:
    facts = [(number, {"number": number, "time": visit.speech.when(at)}) for number, at in found]
    return tuple(
        Choice(
            f"/employees/{record.id}/job-sheet?version={number}",
            visit.speech.say("Version %(number)s, %(time)s", fact),
            chosen=number == chosen,
        )
        for number, fact in facts
    )


def _amount(one: Standing) -> str:
    return f"{one.used.normalize():f} {one.ceiling.unit}".strip()
