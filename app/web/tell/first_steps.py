"""What is there to do first with an employee who was just hired?"""

from collections.abc import Sequence

from app.connections.needed import Works, readiness
from app.employees.queries import Employee as Record
from app.employees.templates import TEMPLATES
from app.employees.templates.template import Words
from app.identity.roles import Permission
from app.web.contexts.chrome import Choice
from app.web.contexts.employees import FirstSteps
from app.web.visit import Visit


async def first_steps(visit: Visit, record: Record) -> FirstSteps:
    """A small task to try, its job sheet to read, and what it needs, if that is not connected."""
    template = TEMPLATES.get(record.template)
    ready = await readiness(visit.session, visit.house.settings)
    missing = {ready.of(tool) for tool in (template.tools if template else ())}
    connects = visit.member.may(Permission.COMPANY_SETTINGS) and missing & {Works.NOT_CONNECTED, Works.NO_MAIL_OUT}
    return FirstSteps(
        tasks=tuple(
            Choice(f"/employees/{record.id}?sample={number}#text", words[visit.speech.language])
            for number, words in enumerate(_tasks(record))
        ),
        connect_url="/connections" if connects else "",
    )


def sample_task(visit: Visit, record: Record, number: int) -> str:
    """The words of a task to try; nothing where there is none of that number."""
    tasks = _tasks(record)
    return tasks[number][visit.speech.language] if number < len(tasks) else ""


def _tasks(record: Record) -> Sequence[Words]:
    template = TEMPLATES.get(record.template)
    return template.sample_tasks if template else ()
