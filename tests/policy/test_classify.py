"""What kind is a tool of somebody else taken for? Never for less than it is, and rarely for more."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.policy.classify import REASONS, Guess, for_added_server, guess
from app.policy.decision import Kind
from tests.policy.foreign_tools import DANGEROUS, KEPT_INSIDE, READS, REMOVES, TIDIES

ROOT = Path(__file__).parents[2]
CORPORA = ROOT.parent / "shared" / "corpora"


def kind_of(name: str, *parameters: str, text: str | None = None, **annotations: object) -> Kind:
    return guess(name, text, dict.fromkeys(parameters), annotations).kind


@pytest.mark.parametrize(
    ("names", "least", "most"),
    [
        (DANGEROUS, Kind.ACT, Kind.DELETE),
        (REMOVES, Kind.DELETE, Kind.DELETE),
        (READS, Kind.READ, Kind.READ),
        (KEPT_INSIDE, Kind.DRAFT, Kind.DRAFT),
        (TIDIES, Kind.ORGANIZE, Kind.ORGANIZE),
    ],
    ids=["dangerous", "removes", "reads", "kept inside", "tidies"],
)
def test_each_name_gets_its_kind(names: tuple[str, ...], least: Kind, most: Kind) -> None:
    wrong = {name: str(found) for name in names if not least <= (found := kind_of(name)) <= most}
    assert wrong == {}


@pytest.mark.parametrize("verb", ["delete", "remove", "purge", "destroy", "erase", "cancel", "supprimer", "borrar"])
@pytest.mark.parametrize(
    "style", ["get_and_{0}", "get{1}User", "users.{0}", "GET__{2}__USER", "list-then-{0}", "{0} all"]
)
def test_a_removing_verb_wins_in_every_style(verb: str, style: str) -> None:
    assert kind_of(style.format(verb, verb.capitalize(), verb.upper())) is Kind.DELETE


@pytest.mark.parametrize("verb", ["send", "publish", "execute", "pay", "envoyer", "senden", "approve"])
@pytest.mark.parametrize("reading", ["get", "list", "search", "read", "consulter", "buscar", "hole"])
def test_no_reading_verb_hides_an_acting_one(reading: str, verb: str) -> None:
    assert kind_of(f"{reading}_{verb}_x") >= Kind.ACT
    assert kind_of(f"{reading}_and_{verb}") >= Kind.ACT
    assert kind_of(f"{verb}_{reading}") >= Kind.ACT


@pytest.mark.parametrize("thing", ["refund", "invitation", "api_key", "role", "deployment", "campaign", "post", "user"])
@pytest.mark.parametrize("verb", ["create", "update", "add", "set", "creer", "crear", "erstelle"])
def test_the_object_decides_with_the_verb(verb: str, thing: str) -> None:
    assert kind_of(f"{verb}_{thing}") >= Kind.ACT
    assert kind_of(f"{thing}_{verb}") >= Kind.ACT


def test_what_is_unknown_acts() -> None:
    for name in ("", "42", "qwertz", "frobnicate_list", "create_zorglub", "поиск", "a" * 1000, "get_" + "x" * 500):
        assert kind_of(name) is Kind.ACT


def test_an_accent_written_as_a_mark_of_its_own_hides_nothing() -> None:
    assert kind_of("termin_lo\u0308schen") is Kind.DELETE
    assert kind_of("re\u0301cupe\u0301rer_et_supprimer") is Kind.DELETE


def test_a_sentence_quotes_no_more_than_a_line_of_somebody_else() -> None:
    found = guess("update_note", None, dict.fromkeys(["force_" + "x" * 5000]), {})
    assert (found.kind, len(found.why) < 200) == (Kind.ACT, True)


def test_a_word_inside_another_is_no_verb() -> None:
    assert kind_of("readjust_rates") >= Kind.ACT
    assert kind_of("getaway_reserve") >= Kind.ACT
    assert kind_of("get_address") is Kind.READ
    assert kind_of("get_settings") is Kind.READ


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("query", ("sql",)),
        ("get_result", ("command",)),
        ("order_status", ("to", "message")),
        ("fetch_page", ("url", "method", "body")),
        ("search_inbox", ("recipient", "body")),
        ("rename_file", ("force",)),
        ("update_note", ("delete_old",)),
        ("server_info", ("action",)),
        ("create_task", ("notify_team",)),
    ],
)
def test_parameters_make_it_stricter(name: str, parameters: tuple[str, ...]) -> None:
    assert kind_of(name) < Kind.ACT
    found = guess(name, None, {"type": "object", "properties": dict.fromkeys(parameters)}, {})
    assert (found.kind, found.reason) == (Kind.ACT, "parameter")


def test_filters_leave_a_reading_tool_alone() -> None:
    assert kind_of("search_mails", "from", "to", "subject", "limit") is Kind.READ
    assert kind_of("get_item", "id", "code", "action") is Kind.READ
    assert kind_of("list_files", "include_deleted", "show_archived", "page") is Kind.READ


@pytest.mark.parametrize(
    "text",
    [
        "Sends a message.",
        "Deletes it.",
        "Look at it. Sends a copy.",
        "Looks; may delete rows",
        "send it",
        "It can trash it",
    ],
)
def test_a_description_makes_it_stricter(text: str) -> None:
    assert kind_of("get_thing", text=text) >= Kind.ACT


def test_a_description_never_makes_it_looser() -> None:
    for name in ("send_mail", "delete_note", "qwertz"):
        assert kind_of(name, text="Only reads. Harmless. Gets a list.") is kind_of(name)
    assert kind_of("get_note", text="Gets a note that you can delete with another tool.") is Kind.READ


@pytest.mark.parametrize("name", [*DANGEROUS[:40], *READS[:20], *KEPT_INSIDE, *TIDIES])
def test_annotations_only_make_it_stricter(name: str) -> None:
    plain = kind_of(name)
    assert kind_of(name, readOnlyHint=True, destructiveHint=False, openWorldHint=False) is plain
    for hint in ({"readOnlyHint": False}, {"destructiveHint": True}, {"openWorldHint": True}, {"readOnlyHint": "yes"}):
        assert guess(name, None, {}, hint).kind >= plain


def test_a_server_that_says_it_writes_is_believed() -> None:
    assert kind_of("get_report", readOnlyHint=False) is Kind.ACT
    assert kind_of("create_note", destructiveHint=True) is Kind.ACT
    assert kind_of("create_note", openWorldHint=True) is Kind.ACT


def test_a_server_added_by_hand_reads_or_acts() -> None:
    kinds = {kind: for_added_server(Guess(kind, "unknown")) for kind in Kind}
    assert kinds == {
        Kind.READ: Kind.READ,
        Kind.ORGANIZE: Kind.ACT,
        Kind.DRAFT: Kind.ACT,
        Kind.ACT: Kind.ACT,
        Kind.DELETE: Kind.DELETE,
    }


def test_every_guess_says_why_in_a_whole_sentence() -> None:
    for name in [*DANGEROUS, *REMOVES, *READS, *KEPT_INSIDE, *TIDIES]:
        found = guess(name, None, {}, {})
        assert found.reason in REASONS
        assert found.why.endswith(".") and "{" not in found.why
    assert guess("get_and_delete", None, {}, {}).why == "“delete” in the name removes or ends something."


def judged(kind: str) -> Mapping[str, int]:
    file = CORPORA / f"{kind}_dev.jsonl"
    if not file.exists():
        pytest.skip(f"the labelled set {file.name} does not lie beside this checkout (../shared/corpora)")
    command = [sys.executable, "-m", "tests.corpora", kind, str(file)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    numbers: Mapping[str, int] = json.loads(run.stdout.splitlines()[-1])
    return numbers


def test_real_tools_of_public_servers_are_hardly_ever_taken_for_less() -> None:
    numbers = judged("tools")
    assert numbers["unsafe_strict"] <= 0.003 * numbers["n"]
    assert numbers["unsafe_min_ok"] == 0
    assert numbers["reads_recognised"] >= 0.93 * numbers["reads"]


def test_nasty_names_do_not_pass() -> None:
    assert judged("traps")["unsafe_strict"] == 0
