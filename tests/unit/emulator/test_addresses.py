"""Whose a request is, and what counts as one client: nothing that a client writes itself is believed."""

import pytest

from emulator.addresses import Networks, client_address, client_key, host_name, is_loopback

LOOPBACK = Networks.parse("127.0.0.0/8, ::1")


@pytest.mark.parametrize(
    ("peer", "forwarded", "want"),
    [
        pytest.param("127.0.0.1", ["203.0.113.9"], "203.0.113.9", id="a-proxy-of-ours"),
        pytest.param("::1", ["203.0.113.9"], "203.0.113.9", id="over-ipv6"),
        pytest.param("::ffff:127.0.0.1", ["203.0.113.9"], "203.0.113.9", id="mapped"),
        pytest.param("127.0.0.1", ["6.6.6.6, 203.0.113.9"], "203.0.113.9", id="the-client-wrote-the-first"),
        pytest.param("127.0.0.1", ["6.6.6.6", "203.0.113.9"], "203.0.113.9", id="in-two-headers"),
        pytest.param("127.0.0.1", ["203.0.113.9, 127.0.0.5"], "203.0.113.9", id="two-proxies"),
        pytest.param("127.0.0.1", ["203.0.113.9, nonsense"], "127.0.0.1", id="nonsense-ends-the-search"),
        pytest.param("127.0.0.1", ["127.0.0.7"], "127.0.0.7", id="all-are-trusted"),
        pytest.param("127.0.0.1", [], "127.0.0.1", id="no-header"),
        pytest.param("127.0.0.1", [""], "127.0.0.1", id="empty-header"),
        pytest.param("198.51.100.1", ["203.0.113.9"], "198.51.100.1", id="a-stranger-claims"),
        pytest.param("nobody", ["203.0.113.9"], "nobody", id="no-address-at-all"),
        pytest.param("127.0.0.1", ["2001:DB8::1"], "2001:db8::1", id="one-spelling"),
    ],
)
def test_only_trusted_proxies_are_believed(peer: str, forwarded: list[str], want: str) -> None:
    assert client_address(peer, forwarded, LOOPBACK) == want


def test_without_a_trusted_proxy_the_peer_is_the_client() -> None:
    assert client_address("127.0.0.1", ["203.0.113.9"], Networks()) == "127.0.0.1"


@pytest.mark.parametrize("text", ["10.0.0.0/33", "somewhere", "10.0.0.1/8", "::1/200"])
def test_a_network_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="does not appear|has host bits"):
        Networks.parse(text)


@pytest.mark.parametrize(
    ("address", "want"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_an_ipv6_client_is_its_network(address: str, want: str) -> None:
    assert client_key(address) == want


@pytest.mark.parametrize(
    ("host", "want"),
    [
        ("localhost", True), ("LOCALHOST.", True), ("app.localhost", True), ("127.0.0.53", True), ("::1", True),
        ("[::1]", True), ("evil.test", False), ("localhost.evil.test", False), ("127.0.0.1.nip.io", False),
        ("", False), ("0.0.0.0", False), ("1270.0.0.1", False),
    ],
)  # fmt: skip
def test_loopback_is_told_by_the_address_not_by_its_look(host: str, want: bool) -> None:
    assert is_loopback(host) is want


@pytest.mark.parametrize(
    ("header", "want"),
    [("Muster.Test:54321", "muster.test"), ("[::1]:54321", "::1"), ("127.0.0.1", "127.0.0.1"), ("", ""), ("a.", "a")],
)
def test_the_host_header_without_its_port(header: str, want: str) -> None:
    assert host_name(header) == want
