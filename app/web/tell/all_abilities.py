"""What can employees do at all? Everything that exists, where it comes from, who has it, and whether it works."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.connections.needed import Readiness, Works, readiness
from app.employees.holders import Holder, holders
from app.identity.roles import Permission
from app.language.speech import N_
from app.language.words import kind_word
from app.policy.decision import Kind, ModeSheet, ToolView
from app.policy.explain import explain
from app.tool_servers.queries import ListedTool, Server, servers
from app.tools.catalogue import MAIL, SHOP, TOOLS
from app.tools.mcp.programs import LOCAL, is_local
from app.tools.tool import Tool
from app.web.contexts.abilities import AbilitiesPage, AbilityGroup, AbilityRow, Holding
from app.web.contexts.chrome import Foreign, Tone
from app.web.tell.abilities import ability
from app.web.visit import Visit

DOES: Mapping[str, str] = {
    "read_mail": N_("Opens the mail that its task is about, and no other."),
    "lookup_order": N_("Looks at one order in the shop: what was bought, paid and refunded, and where the parcel is."),
    "search_catalogue": N_("Looks for articles in the shop, with their prices and how many there are."),
    "save_draft": N_("Writes an answer down in the conversation, where you can read it. It sends nothing."),
    "send_reply": N_("Answers the person who wrote, and nobody else."),
    "refund_order": N_("Gives a customer money back for an order, never more than was paid."),
    "read_product": N_("Looks at one article of the shop: its text, its price, how many there are."),
    "update_product": N_("Writes the name and the text of an article in the shop. Prices stay as they are."),
    "update_price": N_("Changes what an article costs in the shop."),
    "delete_product": N_("Takes an article out of the shop."),
    "tell_manager": N_("Leaves you a note, or hands a matter over to you. Nobody outside sees it."),
}
MISSING: Mapping[Works, str] = {
    Works.YES: N_("Works"),
    Works.NOT_CONNECTED: N_("The shop is not connected yet."),
    Works.LAST_TRY_FAILED: N_("The shop did not answer when it was last tried."),
    Works.NO_MAIL_OUT: N_("No mail can leave yet: the outgoing mail is not connected."),
    Works.MAIL_FAILED: N_("The outgoing mail did not work when it was last tried."),
}
FOREIGN: Mapping[Kind, str] = {
    Kind.READ: N_("Looks something up there. What it looks for is sent to the service."),
    Kind.ORGANIZE: N_("Files or sorts something there."),
    Kind.DRAFT: N_("Prepares something there."),
    Kind.ACT: N_("Does something there that others notice or that is hard to undo."),
    Kind.DELETE: N_("Removes or ends something there."),
}


@dataclass(frozen=True)
class _Known:
    """What all rows are told from."""

    visit: Visit
    holders: Mapping[str, tuple[Holder, ...]]
    ready: Readiness


async def abilities_page(visit: Visit) -> AbilitiesPage:
    """Ours first, then each service's."""
    say = visit.speech.say
    known = _Known(visit, await holders(visit.session), await readiness(visit.session, visit.house.settings))
    built_in = [tool for tool in TOOLS.values() if tool not in (*MAIL, *SHOP)]
    shop = say("Needs a connection to your shop.")
    ours = (
        AbilityGroup("placet", say("Mail and notes"), say("Comes with Placet."), _ours(known, (*MAIL, *built_in))),
        AbilityGroup("shop", say("Shop"), shop, _ours(known, SHOP), url=_connections(visit)),
    )
    theirs = tuple([_service(known, server) for server in await servers(visit.session)])
    may_add = visit.member.may(Permission.TOOL_SERVERS)
    return AbilitiesPage((*ours, *theirs), "/services/add" if may_add else "")


def _connections(visit: Visit) -> str:
    return "/connections" if visit.member.may(Permission.COMPANY_SETTINGS) else ""


def _ours(known: _Known, tools: Iterable[Tool]) -> tuple[AbilityRow, ...]:
    return tuple(_own(known, tool) for tool in tools)


def _own(known: _Known, tool: Tool) -> AbilityRow:
    speech, works = known.visit.speech, known.ready.of(tool.name)
    url = _connections(known.visit) if works is not Works.YES else ""
    (row,) = explain(ModeSheet(), [tool.view()])
    return AbilityRow(
        name=ability(speech, tool.name),
        what=speech.say(DOES[tool.name]),
        kind_word=kind_word(speech, tool.kind),
        start=row.start,
        after=row.after_outside,
        holders=holdings(known.holders.get(tool.name, ())),
        strangers=_strangers(known.visit, tool, known.holders.get(tool.name, ())),
        works=speech.say(MISSING[works]),
        tone="good" if works is Works.YES else "wait",
        url=url,
        url_text=speech.say("Connect it") if url else "",
    )


def _strangers(visit: Visit, tool: Tool, who: tuple[Holder, ...]) -> str:
    """Promise 14: what it declares open or binds to the verified customer, plus what a job sheet lists."""
    if tool.open_to_strangers:
        return visit.speech.say("Any visitor")
    if any(holder.public for holder in who):
        return visit.speech.say("Visitors, because a job sheet lists it for them")
    if tool.kind is Kind.READ and tool.view().bound_to_customer:
        return visit.speech.say("A customer who has shown who they are, for what is theirs")
    return visit.speech.say("Nobody")


def holdings(who: Iterable[Holder]) -> tuple[Holding, ...]:
    """Who has it, with what happens as a task starts."""
    return tuple(
        Holding(
            holder.employee.name,
            f"/employees/{holder.employee.id}/job-sheet",
            holder.row.start.mode.value,
            holder.public,
        )
        for holder in who
    )


def where_in_words(visit: Visit, address: str) -> str:
    """Its address, or in words that it is a program of this machine."""
    if not is_local(address):
        return address
    return visit.speech.say("A program on Placet’s own computer: %(name)s", {"name": address.removeprefix(LOCAL)})


def _service(known: _Known, server: Server) -> AbilityGroup:
    say = known.visit.speech.say
    rows = tuple(_foreign(known, tool, server) for tool in server.tools if not tool.gone)
    origin = say("A service of others at %(address)s.", {"address": server.address})
    if is_local(server.address):
        origin = where_in_words(known.visit, server.address)
    url = f"/services/{server.id}" if known.visit.member.may(Permission.TOOL_SERVERS) else ""
    return AbilityGroup(server.name, server.name, origin, rows, foreign=True, url=url)


def _foreign(known: _Known, tool: ListedTool, server: Server) -> AbilityRow:
    speech, who = known.visit.speech, known.holders.get(tool.name, ())
    view = ToolView(
        tool.name, tool.kind, reads_outside=True, foreign=True, reviewed=tool.reviewed, changed=tool.changed
    )
    (row,) = explain(ModeSheet(), [view])
    works, tone = state_of(tool)
    may = known.visit.member.may(Permission.TOOL_SERVERS) and tone != "good"
    return AbilityRow(
        name=tool.own_name,
        what=speech.say(FOREIGN[tool.kind]),
        kind_word=kind_word(speech, tool.kind),
        start=row.start,
        after=row.after_outside,
        holders=holdings(who),
        strangers=speech.say("Visitors, because a job sheet lists it for them")
        if any(holder.public for holder in who)
        else speech.say("Nobody"),
        works=speech.say(works),
        tone=tone,
        foreign=True,
        told=description_of(known.visit, tool),
        url=f"/services/{server.id}" if may else "",
        url_text=speech.say("Look at it") if may else "",
    )


def state_of(tool: ListedTool) -> tuple[str, Tone]:
    """Whether a foreign ability can be used, in a sentence before translation."""
    if tool.gone:
        return N_("The service no longer has it."), "bad"
    if tool.changed:
        return N_("Held back: it has changed since it was looked at."), "bad"
    if not tool.reviewed:
        return N_("Always asks first, until an administrator has looked at it."), "wait"
    return N_("Works"), "good"


def description_of(visit: Visit, tool: ListedTool, *, open: bool = False) -> Foreign:
    """What the service says about it, as its own words."""
    say = visit.speech.say
    title = say("What the service says about it")
    return Foreign(title, tool.description or say("(nothing)"), proven=None, open=open)
