"""The routes: what they name is there, although nothing imports it before its first request."""

from inspect import iscoroutinefunction, signature

from emulator.auth.api.router import ROUTES


def test_every_route_names_an_endpoint() -> None:
    for row in ROUTES:
        endpoint = row.load()
        assert iscoroutinefunction(endpoint), row
        assert len(signature(endpoint).parameters) == 1, row


def test_no_route_is_named_twice() -> None:
    assert len({(row.method, row.path) for row in ROUTES}) == len(ROUTES)
