"""What is connected, since when, does it work, and what stops when it is removed?"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from app.connections.connectors import Connector
from app.connections.needed import CONNECTOR_OF, Readiness, readiness
from app.connections.queries import ConnectionState, connections
from app.employees.holders import Holder, holders
from app.errors import NotFound
from app.identity.queries import names_of
from app.language.speech import N_
from app.web.contexts.chrome import Field, Tone
from app.web.contexts.connections import (
    ConnectionCard,
    ConnectionFormPage,
    ConnectionsPage,
    EnteredValue,
    Loss,
    RemovalPage,
)
from app.web.tell.abilities import in_a_list
from app.web.tell.people import person
from app.web.visit import Visit


async def connections_page(visit: Visit) -> ConnectionsPage:
    """Every service that can be connected."""
    ready = await readiness(visit.session, visit.house.settings)
    return ConnectionsPage(tuple([await _card(visit, state, ready) for state in ready.connected.values()]))


async def form_page(
    visit: Visit, connector_id: str, values: Mapping[str, str] | None = None, errors: Mapping[str, str] | None = None
) -> ConnectionFormPage:
    """What has to be entered. A key that is there may stay as it is; it is never put into the page."""
    state = await _state(visit, connector_id)
    there = any(field.entered_at for field in state.fields)
    say = visit.speech.say
    fields = []
    for entered in state.fields:
        secret, name = entered.field.secret, entered.field.name
        value = "" if secret else (values or {}).get(name, entered.shown)
        kept = secret and entered.entered_at is not None
        hint = say("Leave it empty to keep the one that is there. It is never shown again.") if kept else ""
        hint = hint or (say("It is kept under lock and key and never shown again.") if secret else "")
        error = say((errors or {})[name]) if name in (errors or {}) else ""
        label = say(entered.field.label)
        field = Field(name, label, value, kind="password" if secret else "text", hint=hint, error=error)
        fields.append(replace(field, required=not kept))
    return ConnectionFormPage(f"/connections/{connector_id}", say(state.connector.title), tuple(fields), there)


async def removal_page(visit: Visit, connector_id: str) -> RemovalPage:
    """Who can do what no longer."""
    say = visit.speech.say
    state = await _state(visit, connector_id)
    ready = await readiness(visit.session, visit.house.settings)
    needing = {name for name, connector in CONNECTOR_OF.items() if connector == connector_id}
    title = say(state.connector.title)
    after = say("What was entered is destroyed. Tasks that need it will say that it is missing.")
    if ready.by_operator(connector_id):
        after = say("What was entered is destroyed. The connection that Placet was set up with takes its place.")
    return RemovalPage(
        url=f"/connections/{connector_id}/remove",
        back_url="/connections",
        title=title,
        question=say("Remove the connection to this service?"),
        losses=() if ready.by_operator(connector_id) else losses(visit, await holders(visit.session), needing),
        after=after,
    )


def losses(visit: Visit, who: Mapping[str, tuple[Holder, ...]], gone: Iterable[str]) -> tuple[Loss, ...]:
    """By employee, what it would no longer be able to do."""
    found: dict[str, Loss] = {}
    for name in sorted(gone):
        for holder in who.get(name, ()):
            employee = holder.employee
            before = found.get(str(employee.id))
            abilities = (*(before.abilities if before else ()), in_a_list(visit.speech, name))
            found[str(employee.id)] = Loss(employee.name, f"/employees/{employee.id}", abilities)
    return tuple(found.values())


async def title_of(visit: Visit, connector_id: str) -> str:
    """What it is called."""
    return visit.speech.say((await _state(visit, connector_id)).connector.title)


async def _state(visit: Visit, connector_id: str) -> ConnectionState:
    for state in await connections(visit.session):
        if state.connector.id == connector_id:
            return state
    raise NotFound


async def _card(visit: Visit, state: ConnectionState, ready: Readiness) -> ConnectionCard:
    names = await names_of(visit.session, [field.entered_by for field in state.fields if field.entered_by])
    connector: Connector = state.connector
    word, tone = _how(state, ready)
    return ConnectionCard(
        url=f"/connections/{connector.id}",
        title=visit.speech.say(connector.title),
        entered=state.entered,
        by_operator=not state.entered and ready.by_operator(connector.id),
        values=tuple(
            EnteredValue(
                visit.speech.say(one.field.label),
                one.shown,
                one.field.secret,
                one.entered_at,
                person(visit.speech, visit.member, one.entered_by, names),
            )
            for one in state.fields
        ),
        state=visit.speech.say(word),
        tone=tone,
        tried_at=state.tried_at,
    )


def _how(state: ConnectionState, ready: Readiness) -> tuple[str, Tone]:
    if not state.entered:
        return (N_("Set up with Placet"), "good") if ready.by_operator(state.connector.id) else (N_("Missing"), "wait")
    if state.works is None:
        return N_("Not tried yet"), "calm"
    return (N_("Works"), "good") if state.works else (N_("Did not work"), "bad")
