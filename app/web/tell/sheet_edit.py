"""How is the form of a job sheet filled in? With what was typed, each error at its field."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from app.employees.choices import ToolChoice
from app.employees.queries import Employee as Record
from app.identity.models import Role
from app.language.words import kind_word, mode_word
from app.policy.decide import DEFAULT
from app.policy.decision import Kind, Mode
from app.web.contexts.chrome import Choice, Field
from app.web.contexts.job_sheet import Checks, EditPage, PreviewPart
from app.web.sheet_form.typed import ABSENT, AS_USUAL, ONLY_SOME, Typed
from app.web.tell.abilities import ability
from app.web.tell.people import employee
from app.web.tell.sheet_rows import Rows
from app.web.visit import Visit


def edit_page(
    visit: Visit,
    record: Record,
    typed: Typed,
    choices: Mapping[str, ToolChoice],
    colleagues: Iterable[tuple[UUID, str]],
    preview: PreviewPart,
    errors: Mapping[str, str],
) -> EditPage:
    """The whole form. `errors` are sentences for gettext, by field."""
    say = visit.speech.say
    wrong = {field: say(sentence) for field, sentence in errors.items()}
    rows = Rows(visit.speech, choices, typed, wrong)
    usual = dict(preview.usual)
    lines = {name: _line(visit, choice, typed, wrong, usual) for name, choice in choices.items()}
    has = {name for name, choice in choices.items() if typed.has(choice)}
    return EditPage(
        employee=employee(visit, record),
        url=f"/employees/{record.id}/job-sheet",
        based_on=typed.based_on,
        mission=_text("mission", say("Mission"), typed.mission, wrong, say("In a few sentences: what is it for?")),
        instructions=_instructions(visit, typed, wrong),
        kinds=tuple(_kind(visit, kind, typed) for kind in Kind),
        tools=tuple(line for name, line in lines.items() if name in has),
        more=tuple(line for name, line in lines.items() if name not in has),
        public=_public(visit, typed, [name for name in choices if name in has and not choices[name].built_in], wrong),
        who=_who(visit, record, typed),
        talkers=Checks(
            "talkers",
            say("Only these colleagues"),
            tuple(Choice(str(one), name, chosen=str(one) in typed.talkers) for one, name in colleagues),
            error=wrong.get("talkers", ""),
        ),
        outside=_outside(visit, typed) if visit.member.role is Role.ADMIN else None,
        exceptions=tuple(rows.exception(place) for place in range(len(typed.exceptions))),
        ceilings=tuple(rows.ceiling(place) for place in range(len(typed.ceilings))),
        preview=preview,
        problems=len(wrong),
        focus=next(iter(wrong), ""),
    )


def _text(name: str, label: str, value: str, wrong: Mapping[str, str], hint: str, *, required: bool = True) -> Field:
    return Field(name, label, value, kind="long", hint=hint, error=wrong.get(name, ""), required=required)


def _instructions(visit: Visit, typed: Typed, wrong: Mapping[str, str]) -> Field:
    say = visit.speech.say
    hint = say("As you would tell a new colleague: what to look at first, how to write, when to ask.")
    return _text("instructions", say("How it should work"), typed.instructions, wrong, hint, required=False)


def _kind(visit: Visit, kind: Kind, typed: Typed) -> Field:
    usual = visit.speech.say("as usual: %(mode)s", {"mode": mode_word(visit.speech, DEFAULT[kind])})
    chosen = typed.kinds.get(kind.value, AS_USUAL)
    offered = (Choice(AS_USUAL, usual), *_modes(visit, kind, chosen))
    word = kind_word(visit.speech, kind)
    label = visit.speech.say("Whatever %(kind)s", {"kind": word})
    return Field(f"kinds.{kind.value}", label, chosen, kind="choice", required=False, choices=offered)


def _modes(visit: Visit, kind: Kind, chosen: str) -> list[Choice]:
    """What can be chosen for a kind: nothing freer than asking for what deletes, unless it stands there already."""
    modes = (mode for mode in Mode if kind is not Kind.DELETE or mode >= Mode.ASK or mode.value == chosen)
    return [Choice(mode.value, mode_word(visit.speech, mode)) for mode in modes]


def _line(visit: Visit, choice: ToolChoice, typed: Typed, wrong: Mapping[str, str], usual: Mapping[str, str]) -> Field:
    speech, tool = visit.speech, choice.tool
    chosen = typed.tools.get(tool.name, AS_USUAL if choice.built_in else ABSENT)
    offered = [Choice(AS_USUAL, usual[tool.kind])]
    if not choice.built_in:
        offered.insert(0, Choice(ABSENT, speech.say("does not have this")))
    offered += _modes(visit, tool.kind, chosen)
    errors = (wrong.get(f"{part}.{tool.name}", "") for part in ("tools", "listed_tools"))
    name = ability(speech, tool.name)
    return Field(
        f"tools.{tool.name}",
        name,
        chosen,
        kind="choice",
        error=next(filter(None, errors), ""),
        required=False,
        choices=tuple(offered),
        hint=tool.kind.value,
    )


def _public(visit: Visit, typed: Typed, names: Iterable[str], wrong: Mapping[str, str]) -> Checks:
    say = visit.speech.say
    hint = say("What is open to everybody, like the catalogue, they may use anyway.")
    error = next((said for field, said in wrong.items() if field.startswith("public_tools.")), "")
    offered = (Choice(name, ability(visit.speech, name), chosen=name in typed.public_tools) for name in names)
    return Checks("public_tools", say("Visitors of the public chat may also use"), tuple(offered), hint, error)


def _who(visit: Visit, record: Record, typed: Typed) -> Field:
    say = visit.speech.say
    offered = (
        Choice("", say("everybody in the company")),
        Choice(ONLY_SOME, say("only those whom I choose below")),
    )
    label = say("Who may talk to %(name)s", {"name": record.name})
    hint = say("Its managers and the administrators always may.")
    return Field("who", label, typed.who, kind="choice", hint=hint, required=False, choices=offered)


def _outside(visit: Visit, typed: Typed) -> Field:
    say = visit.speech.say
    offered = (
        Choice("on", say("switched on: after reading text from outside it asks before it acts")),
        Choice("off", say("switched off: a mail can make it act without asking")),
    )
    hint = say("A mail, a note on an order or a web page may hold words that try to make it do something.")
    value = "off" if typed.outside is False else "on"
    return Field("outside", say("Rule about text from outside"), value, "choice", hint, required=False, choices=offered)
