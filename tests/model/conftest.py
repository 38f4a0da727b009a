"""Who takes part in the tests of the model: a practice model on a real port, and a shop that runs its calls."""

import socket
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest
import uvicorn
from anthropic import Anthropic

from app.model.practice.server import create_app


@pytest.fixture(scope="session")
def practice_url() -> Iterator[str]:
    """A practice model on a free port of this machine."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(), log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(5)
    listener.close()


@pytest.fixture
def practice(practice_url: str) -> Iterator[httpx2.Client]:
    """The doors for tests: faults and the bill, fresh."""
    with httpx2.Client(base_url=practice_url, verify=False) as client:
        client.delete("/practice/faults")
        client.delete("/practice/requests")
        yield client


@pytest.fixture(scope="session")
def claude(practice_url: str) -> Iterator[Anthropic]:
    """The real SDK, as the product uses it."""
    with Anthropic(base_url=practice_url, api_key="any", max_retries=0) as client:
        yield client
