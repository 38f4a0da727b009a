"""Does the policy hold for every call, not only for those that somebody thought of?"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.policy.decide import RULE_NAMES, decide, listed
from app.policy.decision import (
    CeilingFact,
    Comparison,
    Condition,
    Decision,
    Facts,
    GrantView,
    Kind,
    Limits,
    Mode,
    ModeSheet,
    StandingException,
    ToolView,
    replay,
)

QUICK = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = ("to", "cc", "amount", "body", "order")
NAME = "pay"
SENTENCE = "Small payments need no question."

kinds = st.sampled_from(Kind)
modes = st.sampled_from(Mode)
names = st.frozensets(st.sampled_from(NAMES))
values = st.sampled_from(
    ["nadia@colibri.fr", "eve@evil.example", "1001", "20", 15, "", None, ["nadia@colibri.fr"], "Dear"]
)
arguments = st.dictionaries(st.sampled_from(NAMES), values)
conditions = st.builds(Condition, st.sampled_from(NAMES), st.sampled_from(Comparison), values)
exceptions = st.builds(
    StandingException,
    st.sampled_from(["e1", "e2"]),
    st.sampled_from([SENTENCE, "Another sentence."]),
    st.sampled_from([frozenset({NAME}), frozenset({"other"})]),
    st.lists(conditions, max_size=2).map(tuple),
    st.sampled_from([None, date(2026, 3, 1)]),
    st.none(),
    st.sampled_from([None, 0, 3]),
)
grants = st.builds(GrantView, st.just("g"), st.sampled_from([NAME, "other"]), arguments)
sheets = st.builds(
    ModeSheet,
    st.dictionaries(kinds, modes),
    st.dictionaries(st.just(NAME), modes),
    st.sampled_from([frozenset(), frozenset({NAME})]),
    st.lists(exceptions, max_size=3).map(tuple),
    st.booleans(),
)
tools = st.builds(
    ToolView,
    st.just(NAME),
    kinds,
    reads_outside=st.booleans(),
    open_to_strangers=st.booleans(),
    bound_to_customer=st.booleans(),
    reviewed=st.booleans(),
    changed=st.sampled_from([False, False, True]),
    targets=names,
    leaves=names,
    bound=names,
    foreign=st.booleans(),
    house_only=st.booleans(),
)
limits = st.builds(Limits, st.frozensets(kinds, max_size=1), st.dictionaries(kinds, modes, max_size=2), st.just({}))
ceilings = st.builds(
    CeilingFact,
    st.just("refunds"),
    st.booleans(),
    st.just(Decimal(150)),
    st.sampled_from([Decimal(0), Decimal(140)]),
    st.sampled_from([Decimal(5), Decimal(20), Decimal(-5), Decimal("NaN")]),
)
situations = st.builds(
    Facts,
    tools,
    sheets,
    st.lists(limits, max_size=1).map(tuple),
    st.lists(ceilings, max_size=1).map(tuple),
    things=st.sampled_from([1, 11]),
    on_trial=st.booleans(),
    public_channel=st.booleans(),
    customer_verified=st.booleans(),
    outside_read=st.booleans(),
    house_read=st.booleans(),
    address_listed=st.booleans(),
    refused=st.sampled_from([None, None, None, "no", "same_target", "uncertain"]),
    person_refused=st.booleans(),
    grants=st.lists(grants, max_size=2).map(tuple),
    arguments=arguments,
    cited=st.sampled_from([None, "", SENTENCE, SENTENCE.upper(), "Invented."]),
    today=st.just(date(2026, 3, 2)),
)


@st.composite
def spoken_for(draw: st.DrawFn) -> Facts:
    """A call for which a person said something that fits it more or less: by chance alone that is rare."""
    call = draw(st.dictionaries(st.sampled_from(NAMES), values, min_size=1))
    fitting = [Condition(name, Comparison.IS, call[name]) for name in draw(st.lists(st.sampled_from(sorted(call))))]
    other = draw(st.sampled_from([[], [], [draw(conditions)]]))
    exception = StandingException("e1", SENTENCE, frozenset({NAME}), (*fitting, *other))
    scope = {name: call[name] for name in draw(st.lists(st.sampled_from(sorted(call))))}
    return replace(
        draw(situations),
        tool=replace(
            draw(tools), kind=draw(st.sampled_from([Kind.ACT, Kind.ACT, Kind.DELETE])), changed=False, reviewed=True
        ),
        sheet=ModeSheet(exceptions=(exception,)),
        limits=(),
        arguments=call,
        public_channel=False,
        grants=draw(st.sampled_from([(), (), (GrantView("g", NAME, scope),)])),
        cited=draw(st.sampled_from([None, SENTENCE, SENTENCE])),
        person_refused=False,
    )


def calm(facts: Facts) -> Facts:
    """The same call on a day on which nothing else stands against it."""
    return replace(facts, on_trial=False, refused=None, ceilings=(), things=1)


any_facts = st.one_of(situations, spoken_for(), spoken_for().map(calm))
stricter_by = st.dictionaries(st.sampled_from([*Kind, NAME]), modes)


def floor_that_no_words_pass(facts: Facts) -> Mode:
    """The same question answered a second time, in the plainest words, as a judge of the first answer."""
    tool, kind = facts.tool, facts.tool.kind
    floors = [Mode.DO]
    if kind is Kind.DELETE:
        floors.append(Mode.ASK)
    for limit in facts.limits:
        floors += [Mode.NEVER] if kind in limit.never_kinds else []
        floors += [limit.floors[kind]] if kind in limit.floors else []
    if any(not (Decimal(0) <= c.this <= c.limit - c.used) for c in facts.ceilings if not c.this.is_nan()):
        floors.append(Mode.ASK)
    if any(c.this.is_nan() for c in facts.ceilings) or (facts.things > 10 and kind is not Kind.READ):
        floors.append(Mode.ASK)
    if not tool.reviewed or facts.refused in ("no", "uncertain"):
        floors.append(Mode.ASK)
    if tool.changed or (facts.on_trial and kind is Kind.DELETE):
        floors.append(Mode.NEVER)
    if (facts.on_trial and kind is Kind.ACT) or (facts.refused == "same_target" and kind is not Kind.READ):
        floors.append(Mode.ASK)
    if facts.public_channel and (kind is not Kind.READ and NAME not in facts.sheet.public_tools):
        floors.append(Mode.NEVER)
    return max(floors)


@QUICK
@given(any_facts)
def test_no_softening_passes_a_floor_that_no_words_may_override(facts: Facts) -> None:
    assert decide(facts).mode >= floor_that_no_words_pass(facts)


@QUICK
@given(any_facts)
def test_after_outside_content_an_act_goes_ahead_only_where_a_person_fixed_where_it_goes(facts: Facts) -> None:
    act = replace(facts, outside_read=True, sheet=replace(facts.sheet, outside_content_rule=True))

    decision = decide(act)

    if act.tool.kind in (Kind.ACT, Kind.DELETE) and decision.mode < Mode.ASK:
        assert decision.grant or decision.exception
        assert act.tool.kind is Kind.ACT
        fixed = _fixed(act, decision) | act.tool.bound
        given_by_model = {name for name, value in act.arguments.items() if value not in (None, "")} - fixed
        assert not given_by_model & act.tool.leaves
        assert not {name for name in given_by_model & act.tool.targets if not _same_as_fixed_address(act, name, fixed)}
        assert not (act.tool.foreign and {n for n in given_by_model if not _same_as_fixed_address(act, n, fixed)})


def _fixed(facts: Facts, decision: Decision) -> frozenset[str]:
    if decision.grant:
        return frozenset(name for grant in facts.grants if grant.tool == NAME for name in grant.scope)
    return frozenset(
        condition.field
        for exception in facts.sheet.exceptions
        if exception.id == decision.exception
        for condition in exception.conditions
        if condition.comparison in (Comparison.IS, Comparison.IS_ONE_OF)
    )


def _same_as_fixed_address(facts: Facts, name: str, fixed: frozenset[str]) -> bool:
    """A copy that goes to the very address that a condition fixed."""
    said = {str(facts.arguments.get(other)).strip("[]'") for other in fixed}
    return str(facts.arguments[name]).strip("[]'") in said


@QUICK
@given(any_facts)
def test_never_is_absent_and_whatever_is_absent_is_never(facts: Facts) -> None:
    assert listed(facts) == (decide(facts).mode is not Mode.NEVER)


@QUICK
@given(any_facts)
def test_a_refusal_stays_a_refusal_whatever_is_said(facts: Facts) -> None:
    decision = decide(facts)
    hard = any(not c.soft and not (c.this.is_finite() and 0 <= c.this <= c.limit - c.used) for c in facts.ceilings)

    assert (decision.refusal is not None) == (hard or facts.refused == "no")
    assert decision.refusal is None or decision.mode >= Mode.ASK


@QUICK
@given(any_facts, stricter_by, st.sets(st.integers(0, 2)), st.booleans())
def test_a_stricter_sheet_never_yields_a_looser_mode(
    facts: Facts, by: Mapping[Kind | str, Mode], dropped: set[int], unlisted: bool
) -> None:
    sheet = facts.sheet
    kept = tuple(one for place, one in enumerate(sheet.exceptions) if place not in dropped)
    stricter = replace(
        sheet,
        kinds={kind: max(mode, by.get(kind, Mode.DO)) for kind, mode in sheet.kinds.items()},
        tools={name: max(mode, by.get(name, Mode.DO)) for name, mode in sheet.tools.items()},
        public_tools=frozenset() if unlisted else sheet.public_tools,
        exceptions=kept,
        outside_content_rule=True,
    )

    assert decide(replace(facts, sheet=stricter)).mode >= decide(facts).mode


@QUICK
@given(any_facts)
def test_the_trail_alone_recomputes_the_mode_and_survives_being_stored(facts: Facts) -> None:
    decision = decide(facts)
    order = [RULE_NAMES.index(step.rule) for step in decision.trail]

    assert replay(decision.trail) is decision.mode
    assert order == sorted(order)
    assert Decision.from_json(decision.to_json()) == decision


@QUICK
@given(any_facts)
def test_the_trail_carries_no_content(facts: Facts) -> None:
    """Notes are metadata: what stands in the call or in a sentence never gets into them."""
    notes = [text for step in decide(facts).trail for text in step.note.values()]

    assert not {"nadia@colibri.fr", "eve@evil.example", "Dear", "Invented.", SENTENCE, SENTENCE.upper()} & set(notes)


@QUICK
@given(any_facts)
def test_without_any_words_of_a_person_nothing_is_softened(facts: Facts) -> None:
    silent = replace(facts, grants=(), cited=None)
    modes_seen = [silent_step.after for silent_step in decide(silent).trail]

    assert modes_seen == sorted(modes_seen)
    assert decide(facts).mode in (decide(silent).mode, Mode.TELL)
