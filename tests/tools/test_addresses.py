"""Which addresses, names and ways of writing them are refused before anything is opened?"""

import pytest

from app.tools.addresses import Refused, parse_target, refuse_in_house, refuse_name, refuse_reason


def words(text: str) -> list[str]:
    return text.split()


FORBIDDEN_ADDRESSES = words("""
0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 169.254.0.1
169.254.169.254 169.254.170.2 169.254.170.23 169.254.0.23 172.16.0.0 172.31.255.255 192.0.0.1 192.0.0.9
192.0.0.170 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1
203.0.113.255 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 100.100.100.200 161.26.0.10 ::
::1 ::7f00:1 ::a9fe:a9fe ::808:808 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::a83f:8110 64:ff9b::c000:c0 64:ff9b:1::1
64:ff9b:1:fffe::808:808 100::1 100:0:0:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1
2001:20::1 2001:1::1 2001:db8::1 2002:7f00:1::1 2002:a9fe:a9fe::1 2002:808:808::1 2620:4f:8000::1 3fff::1
5f00::1 fc00::1 fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fdff::1 fe80::1 fe80::1%eth0 ::1%lo 2606:4700::1%1
febf::1 fec0::1 ff02::1 ff0e::1 4000::1 8000::1 example.com 127.1 0x7f000001
""")

PUBLIC_ADDRESSES = words("""
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.167.255.255
192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2001:4860:4860::8888 2606:4700:4700::1111
2a00:1450:4007:80e::200e 2003::1 2400::1 64:ff9b::808:808
""")


@pytest.mark.parametrize("ip", FORBIDDEN_ADDRESSES)
def test_nothing_connects_to_this_address(ip: str) -> None:
    assert refuse_reason(ip) is not None


@pytest.mark.parametrize("ip", PUBLIC_ADDRESSES)
def test_this_address_is_public(ip: str) -> None:
    assert refuse_reason(ip) is None


@pytest.mark.parametrize("ip", ["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "224.0.0.1", "64:ff9b::a00:1"])
def test_naming_a_host_does_not_open_metadata(ip: str) -> None:
    assert refuse_in_house(ip) is not None


@pytest.mark.parametrize("ip", ["127.0.0.1", "::1", "10.1.2.3", "192.168.1.1", "fd12::1", "100.64.0.1", "8.8.8.8"])
def test_naming_a_host_opens_the_house(ip: str) -> None:
    assert refuse_in_house(ip) is None


ODD_ADDRESSES = [
    # numbers that inet_aton or a browser reads as an address
    *words("2130706433 0x7f000001 017700000001 0x7f.1 127.1 127.0.1 0177.0.0.1 0x7f.0x0.0x0.0x1 127.0.0.01 127.0.0.1."),
    *words("00.0.0.0 1.2.3.4.5 256.1.1.1 1.2.3.0x10 0x 0x. 1.2.3. 08.8.8.8 8.8.2056 134744072 example.0x7f example.1"),
    *["-1", "1.2.3.-4", "1.2.3.4 ", "\t1.2.3.4", "1.2.3.4\x00", "1.2.3.4\u00a0"],
    # characters that stand for others
    *[
        "127。0。0。1",
        "127．0．0．1",
        "127｡0｡0｡1",
        "①②⑦.0.0.1",
        "１２７.0.0.1",
        "١٢٧.٠.٠.١",
        "loca\u00adlhost",
        "ⓛocalhost.com",
    ],
    *[
        "ex\u200bample.com",
        "exa\u2060mple.com",
        "\ufeffexample.com",
        "localho\u017ft",
        "example\u2024com",
        "℀.com",
        "\u202eexample.com",
    ],
    # brackets, zones, userinfo, percent signs
    *["[127.0.0.1]", "[::1%25eth0]", "[fe80::1%eth0]", "[::1", "::1]", "[[::1]]", "[::1]x", "[]", "::1", "[v1.fe80]"],
    *["user@example.com", "user:pw@example.com", "@example.com", "example.com@", "127%2e0.0.1", "example%00.com"],
    *["example.com\\@127.0.0.1", "example.com:80:80", "example.com:0", "example.com:65536", "example.com:99999"],
    *["example.com:8o", "example.com:-1", "example.com:+80", "example.com:\u0661", "example.com:80 ", ":80", ""],
    # no names
    *[".", "..", ".example.com", "example..com", "-example.com", "example-.com", "exa mple.com", "exa,mple.com"],
    *[
        "a" * 64 + ".com",
        ".".join(["a" * 60] * 5) + ".com",
        "example.com..",
        "exa$mple.com",
        "exam\nple.com",
        "a\rb.com",
    ],
]


@pytest.mark.parametrize("authority", ODD_ADDRESSES)
def test_an_address_that_can_be_read_in_two_ways_is_refused(authority: str) -> None:
    with pytest.raises(Refused):
        parse_target(f"http://{authority}/")


@pytest.mark.parametrize(
    "url",
    ["", " ", "example.com", "//example.com/", "http:example.com", "http:/example.com", "http:///example.com", "https:",
     "file:///etc/passwd", "FILE:///etc/passwd", "ftp://example.com/", "gopher://example.com/", "data:text/html,x",
     "javascript:alert(1)", "ws://example.com/", "unix:///run/docker.sock", "httpx://example.com/", "http+unix://x/",
     " http://example.com/", "http://example.com/ ", "h\nttp://example.com/", "http://example.com/\r\nHost: x",
     "http://example.com/\\..", "http://example.com/" + "a" * 5000],
)  # fmt: skip
def test_only_plain_web_addresses_are_opened(url: str) -> None:
    with pytest.raises(Refused):
        parse_target(url)


@pytest.mark.parametrize(
    ("url", "host", "port", "rest"),
    [
        ("http://example.com", "example.com", 80, "/"),
        ("HTTPS://EXAMPLE.COM./A?b=c#d", "example.com", 443, "/A?b=c"),
        ("https://example.com:/", "example.com", 443, "/"),
        ("https://example.com:8443?x=@y", "example.com", 8443, "/?x=@y"),
        ("http://example.com#@127.0.0.1", "example.com", 80, "/"),
        ("https://bücher.example/", "xn--bcher-kva.example", 443, "/"),
        ("https://BU\u0308CHER.example/", "xn--bcher-kva.example", 443, "/"),
        ("https://127.0.0.1.example.com/", "127.0.0.1.example.com", 443, "/"),
        ("https://1e100.net/", "1e100.net", 443, "/"),
        ("https://_dmarc.example.com/", "_dmarc.example.com", 443, "/"),
        ("http://8.8.8.8:80/x", "8.8.8.8", 80, "/x"),
        ("http://[2606:4700:0::1111]/", "2606:4700::1111", 80, "/"),
        ("http://[::FFFF:7f00:1]/", "::ffff:7f00:1", 80, "/"),
    ],
)
def test_an_address_has_one_normal_form(url: str, host: str, port: int, rest: str) -> None:
    target = parse_target(url)

    assert (target.host, target.port, target.rest) == (host, port, rest)
    assert parse_target(target.url) == target


@pytest.mark.parametrize(
    "host",
    words("localhost a.localhost wpad metadata printer.local metadata.google.internal x.svc a.local r.home.arpa"),
)
def test_a_name_of_a_private_network_is_refused_whatever_it_resolves_to(host: str) -> None:
    assert refuse_name(host) is not None


@pytest.mark.parametrize("host", ["example.com", "localhost.example.com", "internal.example.com", "8.8.8.8", "2400::1"])
def test_a_public_name_is_not_taken_for_a_private_one(host: str) -> None:
    assert refuse_name(host) is None


@pytest.mark.parametrize("ip", ["168.63.129.16", "192.0.0.192", "100.100.100.200", "fd00:ec2::254", "fd20:ce::254"])
def test_the_reason_names_a_clouds_metadata(ip: str) -> None:
    assert "metadata" in str(refuse_reason(ip))


@pytest.mark.parametrize("authority", ["me@example.com", "example.com%2f", "%65xample.com"])
def test_the_sentence_says_that_an_address_hides_where_it_leads(authority: str) -> None:
    with pytest.raises(Refused, match="hides where it leads"):
        parse_target(f"https://{authority}/")
