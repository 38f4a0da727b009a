"""The demo's servers for its tests: real ones, on a free port of this machine."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from starlette.applications import Starlette

from app.demo.serving import listen, make_server


@pytest.fixture(scope="session")
def serve() -> Callable[[Starlette], AbstractContextManager[str]]:
    """Serve an application for the length of a `with`, which gets its address."""
    return served


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """The address under which this application answers, in a thread of its own."""
    listening = listen(0)
    server = make_server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
