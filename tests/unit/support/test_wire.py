"""The file that MUSTER_CONTRACT_ENV names, in each of the shapes it may have."""

import pytest

from tests.support.wire import from_env

OURS = {
    "API_URL": "http://127.0.0.1:54321", "ANON_KEY": "a", "SERVICE_ROLE_KEY": "s", "PUBLISHABLE_KEY": "p",
    "SECRET_KEY": "k", "MAILPIT_URL": "http://127.0.0.1:54321/mail",
}  # fmt: skip
CONTAINERS = {
    "GATEWAY_PORT": "8000", "MAIL_PORT": "8025", "ANON_KEY": "a", "SERVICE_ROLE_KEY": "s", "PUBLISHABLE_KEY": "p",
    "SECRET_KEY": "k",
}  # fmt: skip
OFFICIAL = {"API_URL": "http://127.0.0.1:54321/", "ANON_KEY": "a", "SERVICE_ROLE_KEY": "s", "INBUCKET_URL": "http://x"}


@pytest.mark.parametrize(
    ("env", "url", "publishable", "secret"),
    [
        pytest.param(OURS, "http://127.0.0.1:54321", "p", "k", id="status --env"),
        pytest.param(CONTAINERS, "http://127.0.0.1:8000", "p", "k", id=".env of the containers"),
        pytest.param(OFFICIAL, "http://127.0.0.1:54321", "a", "s", id="the official CLI's"),
    ],
)
def test_origin_and_keys_are_read(env: dict[str, str], url: str, publishable: str, secret: str) -> None:
    backend = from_env(env)
    assert (backend.url, backend.keys["PUBLISHABLE_KEY"], backend.keys["SECRET_KEY"]) == (url, publishable, secret)
    assert backend.socket.startswith("ws://127.0.0.1:")


def test_a_file_without_keys_is_no_backend() -> None:
    with pytest.raises(KeyError):
        from_env({"API_URL": "http://127.0.0.1:54321"})
