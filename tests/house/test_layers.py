"""Arrows between the parts of Placet go one way (STYLE 5, 12, 17)."""

import ast
from pathlib import Path

import pytest

from tests.house.code import ROOT, files, imports, name_of, parsed

DOORS = ("app.web", "app.api", "app.cli", "app.worker", "app.demo")
DOOR_FOLDERS = tuple(door.replace(".", "/") + "/" for door in DOORS)
APP = files("app")


def of(path: Path, *packages: str) -> list[str]:
    """What a file imports from these packages."""
    return [name for name in imports(path) if any(name == each or name.startswith(f"{each}.") for each in packages)]


def test_the_policy_imports_nothing_of_ours() -> None:
    wrong = {
        name_of(path): [name for name in of(path, "app") if not name.startswith("app.policy")]
        for path in files("app/policy")
    }
    assert wrong and not any(wrong.values()), wrong


def test_rooms_know_nothing_of_the_doors() -> None:
    rooms = [path for path in APP if not name_of(path).startswith(DOOR_FOLDERS)]
    wrong = {name_of(path): of(path, *DOORS) for path in rooms}
    assert rooms and not any(wrong.values()), {path: names for path, names in wrong.items() if names}


def test_only_pages_api_and_the_transaction_know_fastapi() -> None:
    may = ("app/web/", "app/api/", "app/database/transaction.py")
    wrong = [name_of(path) for path in APP if of(path, "fastapi") and not name_of(path).startswith(may)]
    assert wrong == []


def test_only_the_client_knows_the_sdk() -> None:
    assert [name_of(path) for path in APP if of(path, "anthropic")] == ["app/model/client.py"]


NETWORK = (
    "socket",
    "ssl",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "h11",
    "requests",
    "urllib3",
    "aiohttp",
    "anyio",
)
NETWORK += (
    "urllib.request",
    "http.client",
    "smtplib",
    "imaplib",
    "ftplib",
    "aiosmtplib",
    "websockets",
    "asyncio.streams",
)
GUARD = {"app/tools/going_out.py", "app/tools/http.py", "app/tools/body.py"}


def test_tools_reach_out_through_the_guard_only() -> None:
    """The MCP SDK is spoken in two files: one hands it a client of the guard's making, the other a program's lines."""
    tools = files("app/tools")
    assert {name_of(path) for path in tools if of(path, *NETWORK)} == GUARD
    assert [name_of(path) for path in APP if of(path, "mcp")] == ["app/tools/mcp/client.py", "app/tools/mcp/lines.py"]
    opens = ("open_connection", "create_connection", "open_unix_connection", "sock_connect", "create_datagram_endpoint")
    wrong = {
        name_of(path)
        for path in [*tools, *files("app/tool_servers"), *files("app/connections")]
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in opens
    }
    assert wrong == {"app/tools/going_out.py"}
    spoken = (ROOT / "app/tools/mcp/client.py").read_text()
    assert spoken.count("streamable_http_client(") == spoken.count("http_client=carrier") == 1


def test_a_program_is_started_in_one_place_with_words_of_the_operators_alone() -> None:
    rooms = [path for path in APP if not name_of(path).startswith((*DOOR_FOLDERS, "app/database/"))]
    assert [name_of(path) for path in rooms if of(path, "subprocess")] == ["app/tools/mcp/process.py"]
    starts = ("create_subprocess_exec", "create_subprocess_shell", "open_process", "execv", "spawnv", "popen")
    wrong = [
        name_of(path)
        for path in rooms
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in starts
    ]
    assert wrong == []


@pytest.mark.parametrize("door", ["app/web", "app/api", "app/cli", "app/worker"])
def test_doors_speak_no_sql(door: str) -> None:
    """They may hold a session and hand it on, and know the errors of a database; they ask it nothing themselves."""
    may = ("sqlalchemy.ext.asyncio.AsyncSession", "sqlalchemy.exc.")
    wrong = {
        name_of(path): [name for name in of(path, "sqlalchemy", "psycopg") if not name.startswith(may)]
        for path in files(door)
    }
    assert not any(wrong.values()), {path: names for path, names in wrong.items() if names}


def test_only_one_file_commits() -> None:
    """`session.commit()`, `connection.begin()` and the like; the demo's own shop and mailbox are not ours to keep."""
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in APP
        if not name_of(path).startswith("app/demo/")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in ("commit", "begin")
    ]
    assert {place.split(":")[0] for place in wrong} == {"app/database/transaction.py", "app/database/migrate.py"}, wrong


def test_only_the_settings_read_the_environment() -> None:
    """The demo hands its environment on to its processes, and reads nothing in it."""
    may = {"app/settings.py", "app/demo/supervise.py"}
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in APP
        if name_of(path) not in may
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
    ]
    assert wrong == []


def test_every_folder_of_tests_is_a_package() -> None:
    """Two tests of one name in two folders would shadow each other otherwise."""
    folders = {path.parent for path in files("tests")}
    assert [name_of(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
