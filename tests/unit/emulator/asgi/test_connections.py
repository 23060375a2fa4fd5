"""How many connections a process takes: by address, by network, and by what it may open at all."""

import resource

import pytest

from emulator.addresses import Networks
from emulator.asgi.connections import LOOPBACK, RESERVED_DESCRIPTORS, ConnectionLimits, raise_descriptor_limit


def test_an_address_has_a_limit_of_its_own() -> None:
    limits = ConnectionLimits(per_address=2, max_descriptor=1000)
    first, second = limits.take("192.0.2.1", 10), limits.take("192.0.2.1", 11)
    assert limits.take("192.0.2.1", 12) is None
    assert limits.take("192.0.2.2", 13) is not None
    assert first is not None
    limits.release(first)
    assert limits.take("192.0.2.1", 14) == second


def test_an_ipv6_network_is_one_client() -> None:
    limits = ConnectionLimits(per_address=1, max_descriptor=1000)
    assert limits.take("2001:db8::1", 1) is not None
    assert limits.take("2001:db8::2", 1) is None
    assert limits.take("2001:db8:0:1::1", 1) is not None


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.1.2.3", "::ffff:127.0.0.1", None])
def test_loopback_proxies_and_sockets_have_none(address: str | None) -> None:
    limits = ConnectionLimits(LOOPBACK | Networks.parse("10.0.0.0/8"), per_address=1, max_descriptor=1000)
    assert [limits.take(address, 1) for _ in range(3)] == ["", "", ""]


def test_some_descriptors_are_kept_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    limits = ConnectionLimits()
    assert limits.take("127.0.0.1", 256 - RESERVED_DESCRIPTORS - 1) == ""
    assert limits.take("127.0.0.1", 256 - RESERVED_DESCRIPTORS) is None


@pytest.mark.parametrize(("hard", "want"), [(4096, 4096), (10**9, 65_536), (resource.RLIM_INFINITY, 65_536)])
def test_the_process_may_open_what_it_is_allowed(monkeypatch: pytest.MonkeyPatch, hard: int, want: int) -> None:
    made: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: made.append(limits))
    raise_descriptor_limit()
    assert made == [(want, hard)]
