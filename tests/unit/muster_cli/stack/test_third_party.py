"""Whose tokens the API accepts beside its own: a provider on this machine, and none at all."""

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.project.find import Project
from muster_cli.project.read import load
from muster_cli.stack.signing_keys import generate_key
from muster_cli.stack.third_party import issuers, third_party_keys

KEY = {name: value for name, value in generate_key().items() if name != "d"}


@pytest.fixture
def provider() -> Iterator[tuple[str, dict[str, bytes]]]:
    served: dict[str, bytes] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = served.get(self.path)
            self.send_response(404 if found is None else 200)
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    served["/.well-known/openid-configuration"] = json.dumps({"jwks_uri": f"{url}/keys"}).encode()
    served["/keys"] = json.dumps({"keys": [KEY, {"kty": "oct", "k": "a secret"}]}).encode()
    yield url, served
    server.shutdown()
    thread.join()
    server.server_close()


def config(**parties: object) -> ProjectConfig:
    return ProjectConfig.model_validate({"root": Path("/project"), "auth": {"third_party": parties}})


@pytest.mark.parametrize(
    ("parties", "want"),
    [
        ({"firebase": {"enabled": True, "project_id": "p"}}, "https://securetoken.google.com/p"),
        ({"auth0": {"enabled": True, "tenant": "t", "tenant_region": "eu"}}, "https://t.eu.auth0.com"),
        ({"auth0": {"enabled": True, "tenant": "t"}}, "https://t.auth0.com"),
        ({"aws_cognito": {"enabled": True, "user_pool_id": "u", "user_pool_region": "r"}},
         "https://cognito-idp.r.amazonaws.com/u"),
        ({"clerk": {"enabled": True, "domain": "x.clerk.accounts.dev"}}, "https://x.clerk.accounts.dev"),
        ({"workos": {"enabled": True, "issuer_url": "https://w/"}}, "https://w"),
    ],
)  # fmt: skip
def test_each_provider_has_its_issuer(parties: dict[str, object], want: str) -> None:
    assert issuers(config(**parties)) == [want]


def test_public_keys_are_taken_and_kept_for_a_start_without_a_network(
    tmp_path: Path, provider: tuple[str, dict[str, bytes]]
) -> None:
    url, served = provider
    wanted = config(workos={"enabled": True, "issuer_url": url})
    assert third_party_keys(wanted, tmp_path) == ((KEY,), ())
    served.clear()
    keys, (warning,) = third_party_keys(wanted, tmp_path)
    assert keys == (KEY,)
    assert "those of an earlier start are used" in warning


@pytest.mark.parametrize(
    "answer", [b"{}", b"[]", b"no json", b'{"jwks_uri": "file:///etc/passwd"}', b'{"jwks_uri": 3}']
)
def test_a_strange_answer_is_a_warning(tmp_path: Path, provider: tuple[str, dict[str, bytes]], answer: bytes) -> None:
    url, served = provider
    served["/.well-known/openid-configuration"] = answer
    keys, (warning,) = third_party_keys(config(workos={"enabled": True, "issuer_url": url}), tmp_path)
    assert keys == ()
    assert "its tokens are refused" in warning


def test_without_a_provider_nothing_is_asked(tmp_path: Path) -> None:
    assert third_party_keys(config(), tmp_path) == ((), ())


def test_two_providers_are_refused(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    text = "[auth.third_party.firebase]\nenabled = true\n[auth.third_party.clerk]\nenabled = true\n"
    (tmp_path / "supabase" / "config.toml").write_text(text)
    with pytest.raises(UserError, match="firebase and clerk are enabled; only one can be"):
        load(Project(tmp_path), {})
