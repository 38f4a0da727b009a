"""How does one hire? Whom there is to choose, what has to be said, and what the employee will do, in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.connections.needed import CONNECTOR_OF, Readiness, Works, readiness
from app.employees.queries import id_of
from app.employees.templates import TEMPLATES
from app.identity.queries import who_can_manage
from app.language.speech import N_
from app.policy.decision import Mode
from app.policy.explain import Row
from app.tools.mail.tools import read_mail
from app.web.contexts.chrome import Choice, Field, Person
from app.web.contexts.hire import ChoosePage, DetailsPage, Group, SurePage, TemplateCard, Thing
from app.web.tell.abilities import in_a_list
from app.web.tell.people import persons
from app.web.tell.trial import until_field, until_words
from app.web.visit import Visit

NO_ADDRESS = N_("once it has a mail address")
WAITS: Mapping[Works, str] = {
    Works.YES: "",
    Works.NOT_CONNECTED: N_("once the shop is connected"),
    Works.LAST_TRY_FAILED: N_("once the shop answers again"),
    Works.NO_MAIL_OUT: N_("once mail can leave"),
    Works.MAIL_FAILED: N_("once the outgoing mail works again"),
}
ORDER = (Mode.DO, Mode.TELL, Mode.ASK, Mode.NEVER)


@dataclass(frozen=True)
class Chosen:
    """What the form held, as it was written, and what is wrong with it."""

    template: str
    name: str
    mission: str
    managers: tuple[str, ...]
    until: str = "day"
    last_day: str | None = None
    errors: Mapping[str, str] = field(default_factory=dict)


async def choose_page(visit: Visit) -> ChoosePage:
    """Whom there is to choose, with what of it works today."""
    ready = await readiness(visit.session, visit.house.settings)
    cards = []
    for template in TEMPLATES.values():
        cards.append(
            TemplateCard(
                title=template.title[visit.speech.language],
                mission=template.mission[visit.speech.language],
                url=f"/employees/hire?template={template.id}",
                things=tuple(_thing(visit, ready, tool) for tool in template.tools),
            )
        )
    return ChoosePage(tuple(cards))


async def first_choice(visit: Visit, template_id: str) -> Chosen:
    """What is suggested: the template's words, its name if nobody bears it yet, and who is hiring as manager."""
    template = TEMPLATES[template_id]
    name = "" if await id_of(visit.session, template.name) else template.name
    return Chosen(template_id, name, template.mission[visit.speech.language], (str(visit.member.user_id),))


async def details_page(visit: Visit, chosen: Chosen) -> DetailsPage:
    """The form, filled with what was chosen."""
    say, template = visit.speech.say, TEMPLATES[chosen.template]
    wrong = {name: say(sentence) for name, sentence in chosen.errors.items()}
    found = persons(visit.member, who := await who_can_manage(visit.session))
    return DetailsPage(
        template=template.id,
        title=template.title[visit.speech.language],
        name=Field("name", say("Its name"), chosen.name, error=wrong.get("name", "")),
        mission=Field("mission", say("What it is for"), chosen.mission, kind="long", error=wrong.get("mission", "")),
        managers=tuple(
            Choice(str(user_id), _called(visit, one), chosen=str(user_id) in chosen.managers)
            for (user_id, _), one in zip(who, found, strict=True)
        ),
        managers_error=wrong.get("managers", ""),
        choose=until_field(visit, open=chosen.until == "open", day=chosen.last_day, error=wrong.get("last_day", "")),
    )


def _called(visit: Visit, who: Person) -> str:
    return visit.speech.say("%(name)s (you)", {"name": who.name}) if who.is_me else who.name


async def sure_page(visit: Visit, chosen: Chosen, matrix: Sequence[Row]) -> SurePage:
    """The last look before the yes."""
    template, speech = TEMPLATES[chosen.template], visit.speech
    ready = await readiness(visit.session, visit.house.settings)
    who = [(user_id, name) for user_id, name in await who_can_manage(visit.session) if str(user_id) in chosen.managers]
    more = [row for row in matrix if row.mode_after_outside is Mode.ASK and row.mode < Mode.ASK]
    return SurePage(
        name=chosen.name.strip(),
        title=template.title[speech.language],
        mission=chosen.mission,
        groups=tuple(_groups(visit, ready, matrix)),
        asks_more=tuple(in_a_list(speech, row.tool) for row in more),
        managers=persons(visit.member, who),
        until=until_words(visit, chosen.until, chosen.last_day),
        carried=_carried(chosen),
    )


def _groups(visit: Visit, ready: Readiness, matrix: Iterable[Row]) -> Iterable[Group]:
    rows = list(matrix)
    for mode in ORDER:
        if things := tuple(_thing(visit, ready, row.tool) for row in rows if row.mode is mode):
            yield Group(mode, things)


def _carried(chosen: Chosen) -> tuple[Choice, ...]:
    one_by_one = (
        Choice(chosen.template, "template"),
        Choice(chosen.name, "name"),
        Choice(chosen.mission, "mission"),
        Choice(chosen.until, "until"),
        Choice(chosen.last_day or "", "last_day"),
    )
    return (*one_by_one, *(Choice(user_id, "managers") for user_id in chosen.managers))


def _thing(visit: Visit, ready: Readiness, tool: str) -> Thing:
    """In a demo the shop and the mailbox are for practice: what uses them works for the demo company only."""
    waits = NO_ADDRESS if tool == read_mail.name else WAITS[ready.of(tool)]
    connector = CONNECTOR_OF.get(tool)
    practice = visit.house.settings.demo and connector is not None and not ready.entered(connector)
    return Thing(in_a_list(visit.speech, tool), practice and not waits, visit.speech.say(waits))
