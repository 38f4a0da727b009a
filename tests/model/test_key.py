"""A wrong key is found at the start; a provider out of reach says nothing about the key."""

import asyncio

import pytest

from app.errors import BadConfiguration
from app.model.key import refuse_wrong_key
from app.settings import Settings

NOWHERE = "http://127.0.0.1:1"


def check(key: str, url: str) -> None:
    asyncio.run(refuse_wrong_key(Settings(anthropic_api_key=key, anthropic_base_url=url)))


def test_a_wrong_key_is_refused(practice_url: str) -> None:
    with pytest.raises(BadConfiguration, match="ANTHROPIC_API_KEY is not accepted"):
        check("wrong-key", practice_url)


def test_a_right_key_passes(practice_url: str) -> None:
    check("any", practice_url)


def test_a_server_out_of_reach_is_no_wrong_key() -> None:
    check("wrong-key", NOWHERE)


def test_no_key_is_no_question() -> None:
    check("", NOWHERE)


@pytest.mark.parametrize(("key", "url"), [("clé", NOWHERE), ("a\nb", NOWHERE), ("any", "model.example")])
def test_what_cannot_be_sent_is_named(key: str, url: str) -> None:
    with pytest.raises(BadConfiguration, match="ANTHROPIC_"):
        check(key, url)
