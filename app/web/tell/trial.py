"""How is a trial told? Until when, what was asked and approved during it, and what would change with its end."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from app.approvals.during_trial import Asked, DuringTrial, during_trial
from app.approvals.queries import asked_among
from app.employees.queries import Employee as Record
from app.employees.trial import trial_of
from app.errors import PlacetError
from app.identity.roles import Permission
from app.language.speech import N_
from app.policy.explain import Change, Moment, said_once
from app.web.contexts.chrome import Choice, Field
from app.web.contexts.trial import AskedAbout, Loosened, TrialLine, TrialPage, Until
from app.web.tell.abilities import ability
from app.web.tell.effects import title
from app.web.tell.people import employee
from app.web.tell.values import day_of
from app.web.visit import Visit

SUGGESTED = timedelta(days=14)


def trial_line(visit: Visit, record: Record) -> TrialLine | None:
    """Until when it is on trial, if it is."""
    if not record.on_trial:
        return None
    decides = visit.member.may_for(Permission.CHANGE_JOB_SHEET, record.id)
    return TrialLine(_until(visit, record.trial_ends_at), f"/employees/{record.id}/trial" if decides else "")


async def trial_page(visit: Visit, record: Record, choose: Until | None = None) -> TrialPage:
    """The whole page. Raises NotFound, NotAllowed."""
    trial = await trial_of(visit.session, record.id, by=visit.member)
    during = await during_trial(visit.session, record.id, by=visit.member)
    return TrialPage(
        employee=employee(visit, record),
        url=f"/employees/{record.id}/trial",
        on_trial=trial.on_trial,
        over=trial.over,
        since=trial.hired_at,
        until=_until(visit, trial.ends_at),
        asked=tuple(AskedAbout(ability(visit.speech, one.tool), _figures(visit, one)) for one in during.tools),
        doubtful=await _doubtful(visit, during),
        loosened=_loosened(visit, trial.if_ended),
        choose=choose or until_field(visit),
    )


def until_field(visit: Visit, *, open: bool = False, day: str | None = None, error: str = "") -> Until:
    """Where the end of a trial is chosen; two weeks from today are suggested."""
    suggested = (visit.speech.day_start() + SUGGESTED).date().isoformat()
    label = visit.speech.say("Last day of the trial")
    value = suggested if day is None else day
    return Until(open, Field("last_day", label, value, kind="date", error=error, required=False))


class NoSuchDay(PlacetError):
    """Please choose a day from today on, like 2027-01-31."""

    status = 422


def chosen_day(which: str, written: str) -> date | None:
    """The last day that was chosen, None for "until I say so". Raises NoSuchDay."""
    if which == "open":
        return None
    if (day := day_of(written.strip())) is None:
        raise NoSuchDay
    return day


def until_words(visit: Visit, which: str, written: str | None) -> str:
    """What was chosen, in words."""
    if (day := chosen_day(which, written or "")) is None:
        return visit.speech.say("until somebody says so")
    return visit.speech.say("until %(day)s", {"day": visit.speech.day(day)})


def _until(visit: Visit, ends_at: datetime | None) -> str:
    """Its last day, as the company counts days."""
    if ends_at is None:
        return visit.speech.say("until somebody says so")
    if ends_at <= datetime.now(UTC):
        return visit.speech.say("its last day is over")
    last = (ends_at - timedelta(seconds=1)).astimezone(ZoneInfo(visit.company.time_zone)).date()
    return visit.speech.say("until %(day)s", {"day": visit.speech.day(last)})


def _figures(visit: Visit, one: Asked) -> tuple[str, ...]:
    speech = visit.speech
    figures = (
        (N_("approved: %(number)s"), one.approved - one.changed),
        (N_("approved with changes: %(number)s"), one.changed),
        (N_("rejected: %(number)s"), one.rejected),
        (N_("not answered in time: %(number)s"), one.expired),
        (N_("still waiting: %(number)s"), one.pending),
    )
    asked = speech.count("asked once", "asked %(number)s times", one.asked)
    return (asked, *(speech.say(what, {"number": speech.number(number)}) for what, number in figures if number))


async def _doubtful(visit: Visit, during: DuringTrial) -> tuple[Choice, ...]:
    found = await asked_among(visit.session, during.not_simply_approved)
    return tuple(Choice(f"/requests/{one.id}", title(visit.speech, one.tool, one.arguments)) for one in found)


def _loosened(visit: Visit, changes: Sequence[Change]) -> tuple[Loosened, ...]:
    """One line for each thing that changes; two where it differs after reading something from outside."""
    return tuple(
        Loosened(ability(visit.speech, one.tool), one.before, one.after, _moment(visit, moment) if moment else "")
        for one, moment in said_once(changes)
        if one.before is not None and one.after is not None
    )


def _moment(visit: Visit, moment: Moment) -> str:
    if moment is Moment.START:
        return visit.speech.say("as long as nothing from outside was read")
    return visit.speech.say("after reading text from outside")
