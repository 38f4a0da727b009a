"""What do the tests of going out stand on? A listener with certificates, in the place of the internet."""

import ssl
from collections.abc import Iterator

import pytest

from tests.corpora.listener import Listener, certified
from tests.tools.world import ELSEWHERE, PUBLIC, SITE, World


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def certificates() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    return certified([SITE, ELSEWHERE, "mail.example.com", PUBLIC])


@pytest.fixture
def world(certificates: tuple[ssl.SSLContext, ssl.SSLContext]) -> Iterator[World]:
    server, client = certificates
    with Listener(tls=server) as listener:
        yield World(listener, client)
