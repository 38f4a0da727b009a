"""Is an address only taken for one where every mail server would agree?"""

import pytest

from app.policy.addresses import addresses, host
from app.policy.decision import Json


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("nadia@colibri.fr", ("nadia@colibri.fr",)),
        (" Nadia <Nadia@Colibri.FR> ", ("nadia@colibri.fr",)),
        ('"Colibri, Nadia" <nadia@colibri.fr>', ("nadia@colibri.fr",)),
        ("a@b.fr, c@d.fr; e@f.fr", ("a@b.fr", "c@d.fr", "e@f.fr")),
        (["a@b.fr", "C <c@d.fr>"], ("a@b.fr", "c@d.fr")),
        ("jo@bücher.example", ("jo@xn--bcher-kva.example",)),
        ([], ()),
    ],
)
def test_plain_addresses_are_found_in_one_spelling(value: Json, found: tuple[str, ...]) -> None:
    assert addresses(value) == found


@pytest.mark.parametrize(
    "value",
    [
        "",
        None,
        12,
        "nadia",
        "nadia@colibri",
        "nadia@colibri.fr eve@evil.example",
        "nadia@colibri.fr <eve@evil.example",
        "nadia@colibri.fr (eve@evil.example)",
        "nadia@colibri.fr\r\nBcc: eve@evil.example",
        "nadia@colibri.fr,",
        "eve@evil.example@colibri.fr",
        "@evil.example:nadia@colibri.fr",
        "nadia@[127.0.0.1]",
        "team: nadia@colibri.fr;",
        ["nadia@colibri.fr", 3],
        {"to": "nadia@colibri.fr"},
    ],
)
def test_what_is_not_plain_is_no_address(value: Json) -> None:
    assert addresses(value) is None


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("https://Colibri.fr/tea?x=1", "colibri.fr"),
        ("colibri.fr", "colibri.fr"),
        ("https://colibri.fr@evil.example/", None),
        ("https://evil.example\\@colibri.fr/", None),
        ("https://colibri.fr evil.example", None),
        ("https://[::1", None),
        ("localhost", None),
    ],
)
def test_a_host_is_read_only_where_parsers_agree(value: str, name: str | None) -> None:
    assert host(value) == name
