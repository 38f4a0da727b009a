"""Which bugs were planted where others' words come in? Guard, masking, binding, classifier, quarantine, programs."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True, slots=True)
class Planted:
    """A text of a file of `app`, what it is replaced by, and the tests that must notice."""

    what: str
    file: str
    old: str
    new: str
    judge: str


GOING = "tests/tools/test_going_out.py::test_"
HTTP = "tests/tools/test_http.py::test_"
MASK = "tests/tools/test_mask.py::test_"
TOOL = "tests/tools/test_declarations.py::test_"
CLASSIFY = "tests/policy/test_classify.py::test_"
LIES = "tests/tool_servers/test_lies.py::test_"
LOCAL = "tests/tool_servers/test_local_lies.py::test_"
OURS = f"{LIES}our_names_and_two_of_one_name_are_refused_however_they_are_written"
BOUND = f"{TOOL}what_is_bound_is_filled_in_by_us_and_no_output_of_the_model_changes_it"

PLANTED = (
    Planted(
        "guard",
        "tools/going_out.py",
        "await open_at(*self._lies_at(ip, port))",
        "await open_at(*self._lies_at(str((await self._resolve(normal_host(host)))[0]), port))",
        f"{GOING}the_connection_goes_to_the_address_that_was_checked",
    ),
    Planted(
        "guard",
        "tools/going_out.py",
        "for ip in found:",
        "for ip in found[:1]:",
        f"{GOING}one_bad_address_among_good_ones_refuses_all",
    ),
    Planted(
        "guard",
        "tools/http.py",
        'if before.scheme == "https" and after.scheme == "http":',
        "if False:",
        f"{HTTP}a_redirect_from_https_to_http_is_refused",
    ),
    Planted(
        "guard",
        "tools/http.py",
        "if after.origin != before.origin:",
        "if False:",
        f"{HTTP}keys_do_not_travel_to_another_place",
    ),
    Planted(
        "masking",
        "tools/mask.py",
        "for shift in range(3):",
        "for shift in range(2):",
        f"{MASK}a_secret_is_masked_in_every_encoding",
    ),
    Planted(
        "masking",
        "tools/mask.py",
        "max(0, len(self._kept) - self._held_back)",
        "len(self._kept)",
        f"{MASK}a_secret_across_the_borders_of_pieces_is_masked",
    ),
    Planted(
        "masking",
        "tools/mask.py",
        "mask(name, secrets): mask_value",
        "name: mask_value",
        f"{MASK}each_text_of_a_value_is_masked_and_the_rest_is_as_it_was",
    ),
    Planted("binding", "tools/tool.py", 'ConfigDict(extra="forbid"', 'ConfigDict(extra="allow"', BOUND),
    Planted("binding", "tools/tool.py", "if about.get(what) is None:", "if about is None:", BOUND),
    Planted(
        "classifier",
        "policy/classify.py",
        "if kind > found.kind else found",
        "if kind < found.kind else found",
        f"{CLASSIFY}a_server_that_says_it_writes_is_believed",
    ),
    Planted(
        "classifier",
        "policy/classify.py",
        "max(guesses, key=lambda one: one.kind.rank)",
        "guesses[0]",
        f"{CLASSIFY}no_reading_verb_hides_an_acting_one",
    ),
    Planted("quarantine", "tools/mcp/definition.py", "folded(tool.name) in reserved:", "tool.name in reserved:", OURS),
    Planted("quarantine", "tools/mcp/definition.py", "times[folded(tool.name)] > 1:", "times[tool.name] > 1:", OURS),
    Planted(
        "quarantine",
        "tools/mcp/client.py",
        "elif not self.same(found[0]):",
        "elif False:",
        f"{LIES}what_is_no_longer_what_was_looked_at_is_not_called",
    ),
    Planted(
        "quarantine",
        "tools/mcp/client.py",
        'raise OutcomeUnknown("the service',
        'raise ToolError("the service',
        f"{LIES}what_becomes_of_a_call_after_it_was_sent_is_unknown",
    ),
    Planted(
        "programs",
        "tools/mcp/process.py",
        'around = {"PATH": PATH,',
        'around = {**os.environ, "PATH": PATH,',
        f"{LOCAL}it_gets_nothing_of_ours_and_runs_in_an_empty_folder",
    ),
    Planted(
        "programs",
        "tools/mcp/process.py",
        "os.killpg(process.pid, signal.SIGKILL)",
        "os.kill(process.pid, signal.SIGKILL)",
        f"{LOCAL}after_an_answer_no_process_and_no_file_is_left",
    ),
    Planted(
        "programs",
        "tools/mcp/process.py",
        "if self.left < 0:",
        "if False:",
        f"{LOCAL}no_list_is_an_error_in_time_within_bounds_and_nothing_is_left",
    ),
    Planted(
        "programs",
        "tools/mcp/programs.py",
        "programs.get(address.removeprefix(LOCAL))",
        "next(iter(programs.values()), None)",
        f"{LOCAL}a_service_that_is_not_allowed_is_not_started",
    ),
)


def reds(folder: Path) -> dict[str, bool]:
    """Plant each bug in the copy under `folder`, run its judge in this process, and take it out again."""
    found = {"sound": _is_red({one.judge for one in PLANTED})}
    for place, bug in enumerate(PLANTED):
        file = folder / "app" / bug.file
        sound = file.read_text(encoding="utf-8")
        assert sound.count(bug.old) == 1, f"{bug.file} has changed, or has it twice: {bug.old!r}"
        file.write_text(sound.replace(bug.old, bug.new), encoding="utf-8")
        found[str(place)] = _is_red({bug.judge})
        file.write_text(sound, encoding="utf-8")
    return found


def _is_red(judges: set[str]) -> bool:
    for name in list(_ours()):
        del sys.modules[name]
    bare = ["-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist", "--noconftest", "-p", "tests.tools.conftest"]
    ended = pytest.main([*sorted(judges), *bare, "-q", "-x"])
    assert ended in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED), ended
    return ended is pytest.ExitCode.TESTS_FAILED


def _ours() -> Iterator[str]:
    return (name for name in sys.modules if name.split(".")[0] in ("app", "tests"))


if __name__ == "__main__":
    print("\n" + json.dumps(reds(Path(sys.argv[1]))))
