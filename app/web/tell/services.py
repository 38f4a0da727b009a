"""What does a service of others offer, what do we think of it, and what has to be looked at?"""

from collections.abc import Mapping
from uuid import UUID

from app.employees.holders import Holder, holders
from app.errors import NotFound
from app.identity.queries import names_of
from app.language.speech import N_
from app.language.words import kind_word
from app.policy.classify import REASONS, sentence
from app.policy.decision import Kind
from app.tool_servers.add import takes_key
from app.tool_servers.queries import ListedTool, Server, servers
from app.tools.mcp.definition import REFUSALS
from app.web.contexts.chrome import Choice, Field
from app.web.contexts.connections import RemovalPage
from app.web.contexts.services import AddServicePage, Difference, Offer, ServiceCard, ServicePage, ServicesPage
from app.web.tell.all_abilities import description_of, holdings, state_of, where_in_words
from app.web.tell.connections import losses
from app.web.tell.people import person
from app.web.visit import Visit

MILDER = ("draft", "organize", "object_kept")  # reasons for a kind that nobody's word alone is enough for


async def services_page(visit: Visit) -> ServicesPage:
    """Every service that was added."""
    return ServicesPage(tuple(_card(visit, one) for one in await servers(visit.session)))


def add_page(
    visit: Visit, values: Mapping[str, str] | None = None, errors: Mapping[str, str] | None = None
) -> AddServicePage:
    """What has to be entered; after an error what was typed is still there, except the key."""
    say, given, wrong = visit.speech.say, values or {}, errors or {}

    def error(name: str) -> str:
        return say(wrong[name]) if name in wrong else ""

    short = say("Small letters and digits: crm, books, calendar2. Employees and job sheets call it so.")
    program = _program_field(visit, given.get("program", ""), error("address"))
    whole = say("As its maker gives it, from https:// on.")
    secret = say("Where the service wants one. It is kept under lock and key and never shown again.")
    return AddServicePage(
        name=Field("name", say("A short name"), given.get("name", ""), hint=short, error=error("name")),
        address=Field(
            "address",
            say("Address"),
            given.get("address", ""),
            hint=whole,
            error="" if program and program.error else error("address"),
            required=program is None,
        ),
        key=Field("key", say("Key"), kind="password", hint=secret, error=error("key"), required=False),
        program=program,
    )


def _program_field(visit: Visit, chosen: str, error: str) -> Field | None:
    """The programs that the operator allows, where there are any; an error stands here if one of them was chosen."""
    say, names = visit.speech.say, sorted(visit.house.http.programs)
    if not names:
        return None
    none = Choice("", say("No, it has an address"))
    hint = say(
        "Whoever looks after Placet allows these. Such a program works on Placet’s own computer, not at its maker’s."
    )
    return Field(
        "program",
        say("Is it one of these programs?"),
        chosen,
        "choice",
        hint,
        error if chosen in names else "",
        required=False,
        choices=(none, *(Choice(name, name) for name in names)),
    )


async def service_page(visit: Visit, server_id: UUID, *, key_error: str = "") -> ServicePage:
    """One service: what has to be looked at first, then the rest. Raises NotFound."""
    server, say = await find(visit, server_id), visit.speech.say
    who = await holders(visit.session)
    names = await names_of(visit.session, [server.added_by])
    review = server.to_review
    offers = {tool.id: _offer(visit, tool, who) for tool in server.tools}
    rest = [tool for tool in server.tools if tool not in review]
    key = Field("key", say("New key"), kind="password", error=say(key_error) if key_error else "")
    return ServicePage(
        id=str(server.id),
        name=server.name,
        address=where_in_words(visit, server.address),
        added_at=server.added_at,
        added_by=person(visit.speech, visit.member, server.added_by, names),
        looked_at=server.looked_at,
        has_key=server.has_key,
        to_review=tuple(offers[tool.id] for tool in review),
        reviewed=tuple(offers[tool.id] for tool in rest if not tool.gone),
        gone=tuple(offers[tool.id] for tool in rest if tool.gone and offers[tool.id].holders),
        refused=tuple((one.name, say(REFUSALS[one.why])) for one in server.refused),
        safe=sum(is_safe(tool) for tool in review),
        stale=any(tool.stale for tool in review),
        key=key if takes_key(visit.house.http, server.address) else None,
    )


async def removal_page(visit: Visit, server_id: UUID) -> RemovalPage:
    """Who can do what no longer."""
    server, say = await find(visit, server_id), visit.speech.say
    here = f"/services/{server.id}"
    return RemovalPage(
        url=f"{here}/remove",
        back_url=here,
        title=server.name,
        question=say("Remove this service?"),
        losses=losses(visit, await holders(visit.session), [tool.name for tool in server.tools]),
        after=say("Its key is destroyed, and nothing goes there any more. What waits for it can only be refused."),
    )


async def find(visit: Visit, server_id: UUID) -> Server:
    """The service. Raises NotFound."""
    for server in await servers(visit.session):
        if server.id == server_id:
            return server
    raise NotFound


def is_safe(tool: ListedTool) -> bool:
    """New, and by its name it only reads: what has changed wants a look of its own."""
    return tool.kind is Kind.READ and not tool.changed and not tool.stale


def _card(visit: Visit, server: Server) -> ServiceCard:
    offers = sum(not tool.gone for tool in server.tools)
    waiting = len(server.to_review)
    where = where_in_words(visit, server.address)
    return ServiceCard(f"/services/{server.id}", server.name, where, offers, waiting, server.looked_at)


def _offer(visit: Visit, tool: ListedTool, who: Mapping[str, tuple[Holder, ...]]) -> Offer:
    speech = visit.speech
    state, tone = state_of(tool) if tool.reviewed or tool.gone else (N_("Not looked at yet"), "wait")
    told = description_of(visit, tool, open=not tool.reviewed or tool.changed)
    return Offer(
        id=str(tool.id),
        mark=tool.mark,
        name=tool.own_name,
        kinds=tuple(Choice(kind.value, kind_word(speech, kind), chosen=kind is tool.kind) for kind in Kind),
        kind_word=kind_word(speech, tool.kind),
        why=sentence(tool.reason, tool.reason_words, speech.say(REASONS[tool.reason])),
        careful=tool.reason in MILDER and tool.kind is Kind.ACT,
        told=told,
        wants=tool.arguments,
        state=speech.say(state),
        tone=tone,
        holders=holdings(who.get(tool.name, ())),
        difference=_difference(tool),
        stale=tool.stale,
    )


def _difference(tool: ListedTool) -> Difference | None:
    if tool.before is None:
        return None
    more = tuple(name for name in tool.arguments if name not in tool.before.arguments)
    less = tuple(name for name in tool.before.arguments if name not in tool.arguments)
    same_words = tool.before.description == tool.description
    return Difference(
        before=tool.before.description,
        now=tool.description,
        more=more,
        less=less,
        hidden=not (more or less) and (same_words or not tool.before.same_form),
    )
