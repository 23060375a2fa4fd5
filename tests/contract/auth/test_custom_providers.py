"""Providers that admins register: their administration, signing in by them, and addresses that are never called."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.contract.auth.conftest import StartAuth, outside_world
from tests.contract.auth.harness import NEW, AuthClient, Json, Served, error_of, fragment, new_email, query
from tests.contract.auth.oauth_provider import CLIENT_ID, CLIENT_SECRET, OAuthProvider

PUBLIC = "https://93.184.215.14"  # stands for the provider's name: nothing is looked up, nothing is called there
PATH = "/admin/custom-providers"


class StandIn(httpx.AsyncBaseTransport):
    """The outside world: who calls the public address gets the provider of this test."""

    def __init__(self, url: str) -> None:
        self._url, self._inner = httpx.URL(url), httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert str(request.url).startswith(PUBLIC)
        request.url = request.url.copy_with(scheme=self._url.scheme, host=self._url.host, port=self._url.port)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


@pytest.fixture(scope="module")
def provider() -> Iterator[OAuthProvider]:
    made = OAuthProvider(url=PUBLIC)
    served = Served(made.app())
    with outside_world(lambda: StandIn(served.url)):
        yield made
    served.stop()


@pytest.fixture(scope="module")
def auth(start_auth: StartAuth, provider: OAuthProvider) -> AuthClient:
    assert provider.url == PUBLIC
    return start_auth()


def oidc(**changes: Any) -> Json:
    own = {
        "provider_type": "oidc", "identifier": f"custom:{uuid4().hex[:8]}", "name": "Station", "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET, "issuer": PUBLIC, "scopes": ["email"],
    }  # fmt: skip
    return {**own, **changes}


def oauth2(**changes: Any) -> Json:
    urls = {name: f"{PUBLIC}/{path}" for name, path in
            (("authorization_url", "authorize"), ("token_url", "token"), ("userinfo_url", "userinfo"))}  # fmt: skip
    return {**oidc(provider_type="oauth2"), "issuer": "", **urls, **changes}


def register(auth: AuthClient, body: Json) -> Json:
    made = auth.admin("POST", PATH, body)
    assert made.status_code == 201, made.text
    return dict(made.json())


def sign_in(
    auth: AuthClient, provider: OAuthProvider, identifier: str, more: str = "", **claims: Any
) -> dict[str, str]:
    """All redirects of a browser; what the application gets."""
    provider.person = {"sub": uuid4().hex, "email": new_email("outside"), "email_verified": True, **claims}
    begun = auth.get(f"/authorize?provider={identifier}{more}")
    assert begun.status_code == 302, begun.text
    asked = begun.headers["location"]
    assert asked.startswith(f"{PUBLIC}/authorize?")
    provider.asked.clear()
    code = uuid4().hex
    provider.codes[code] = {**query(asked), "person": dict(provider.person)}
    ended = auth.get(f"/callback?code={code}&state={query(asked)['state']}")
    return {**query(asked), **fragment(ended.headers["location"])}


def test_administration(auth: AuthClient) -> None:
    body = oidc(custom_claims_allowlist=["rank"], authorization_params={"prompt": "login"})
    made = register(auth, body)
    path = f"{PATH}/{body['identifier']}"
    assert (made["scopes"], made["pkce_enabled"], made["enabled"]) == (["openid", "email"], True, True)
    assert made["discovery_document"]["token_endpoint"] == f"{PUBLIC}/token"
    assert not {"client_secret", "token_url"} & set(made)
    assert auth.admin("GET", path).json() == made
    assert made in auth.admin("GET", f"{PATH}?type=oidc").json()["providers"]
    assert made not in auth.admin("GET", f"{PATH}?type=oauth2").json()["providers"]
    assert error_of(auth.admin("GET", f"{PATH}?type=saml", headers=NEW))[1] == "validation_failed"
    taken = auth.admin("POST", PATH, body, headers=NEW)
    assert error_of(taken) == (400, "conflict", "A custom OAuth provider with this identifier already exists")
    changed = auth.admin("PUT", path, {"name": "Other", "enabled": False, "token_url": "http://10.0.0.1"}).json()
    assert (changed["name"], changed["enabled"], changed["client_id"]) == ("Other", False, CLIENT_ID)
    assert "token_url" not in changed, "a field of the other type is left alone"
    refused = auth.get(f"/authorize?provider={body['identifier']}", headers=NEW)
    assert error_of(refused)[2] == f"Unsupported provider: custom provider {body['identifier']} is disabled"
    assert auth.admin("DELETE", path).status_code == 204
    missing = (404, "custom_provider_not_found", "Custom OAuth provider not found")
    for method, sent in (("GET", None), ("PUT", {"name": "x"}), ("DELETE", None)):
        assert error_of(auth.admin(method, path, sent, headers=NEW)) == missing
    assert error_of(auth.admin("GET", f"{PATH}/github", headers=NEW))[0] == 400
    assert auth.get(PATH).status_code == 401
    assert auth.person().request("GET", PATH).status_code == 403


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (oidc(provider_type="saml"), "provider_type must be either 'oauth2' or 'oidc'"),
        (oidc(identifier=""), "identifier is required"),
        (oidc(identifier="github"), "identifier must start with 'custom:' prefix, e.g. 'custom:github'"),
        (oidc(identifier="custom:NO!"), "invalid value: identifier_format"),
        (oidc(name=""), "name is required"),
        (oidc(name="x" * 101), "invalid value: name_length"),
        (oidc(client_id=""), "client_id is required"),
        (oidc(client_secret=""), "client_secret is required"),
        (oidc(issuer=""), "issuer is required for OIDC providers"),
        (oauth2(token_url=""), "token_url is required for OAuth2 providers"),
        (oidc(authorization_params={"state": "x"}), "Cannot override reserved OAuth parameter: state"),
        (oidc(authorization_params={"a": 1}), 'Authorization parameter "a" must be a string'),
        (oidc(attribute_mapping={"role": "x"}), "Cannot map to protected system field: role"),
        (oidc(custom_claims_allowlist=[" "]), "custom_claims_allowlist entries must be non-empty strings"),
        (oidc(issuer="http://93.184.215.14"), "URL must use HTTPS"),
        (oidc(issuer="https://"), "URL must have a valid hostname"),
        (oidc(issuer="https://[::1"), "Invalid URL format"),
        (oidc(issuer="https://localhost"), "URL cannot point to localhost or loopback addresses"),
        (oidc(issuer="https://a.localhost"), "URL cannot point to localhost or loopback addresses"),
        (oidc(discovery_url="https://127.0.0.2/x"), "URL cannot resolve to loopback addresses"),
        (oidc(discovery_url="https://[::ffff:10.1.1.1]/x"), "URL cannot resolve to private network addresses"),
        (oauth2(userinfo_url="https://169.254.169.254/x"), "URL cannot resolve to link-local addresses"),
        (oauth2(jwks_uri="https://224.0.0.1/x"), "URL cannot resolve to multicast addresses"),
        (oauth2(token_url="https://no-such-host.invalid/x"), "Unable to resolve hostname"),
        (oidc(issuer=f"{PUBLIC}/other"), "OIDC discovery from \"https://93.184.215.14/other/.well-known/openid-conf"),
    ],
)  # fmt: skip
def test_what_is_refused_is_not_stored(auth: AuthClient, body: Json, message: str) -> None:
    before = auth.admin("GET", PATH).json()
    refused = auth.admin("POST", PATH, body, headers=NEW)
    status, code, told = error_of(refused)
    assert (status, code) == (400, "validation_failed")
    assert told.startswith(message)
    assert auth.admin("GET", PATH).json() == before


def test_signing_in_by_an_issuer(auth: AuthClient, provider: OAuthProvider) -> None:
    body = oidc(
        acceptable_client_ids=["mobile"], attribute_mapping={"full_name": "callsign"},
        custom_claims_allowlist=["rank"], authorization_params={"prompt": "login"},
    )  # fmt: skip
    register(auth, body)
    told = sign_in(auth, provider, body["identifier"], "&scopes=email%20groups", callsign="Engine 4", rank="captain")
    assert (told["scope"], told["prompt"]) == ("openid email groups", "login")
    user = auth.get("/user", headers={"Authorization": f"Bearer {told['access_token']}"}).json()
    assert user["identities"][0]["provider"] == body["identifier"]
    assert user["user_metadata"]["full_name"] == "Engine 4"
    assert user["user_metadata"]["custom_claims"] == {"rank": "captain"}
    provider.person = {"sub": uuid4().hex, "email": new_email("app"), "email_verified": True}
    grant = {"provider": body["identifier"], "id_token": provider.id_token(aud="mobile")}
    assert auth.post("/token?grant_type=id_token", grant).json()["user"]["email"] == provider.person["email"]
    other = {"provider": body["identifier"], "id_token": provider.id_token(aud="somebody")}
    assert (
        auth.post("/token?grant_type=id_token", other).json()["error_description"].startswith("Unacceptable audience")
    )


def test_signing_in_by_plain_oauth(auth: AuthClient, provider: OAuthProvider) -> None:
    """As of GitHub: the subject is a number of another name."""
    body = oauth2(attribute_mapping={"sub": "id", "user_name": "login"})
    register(auth, body)
    told = sign_in(auth, provider, body["identifier"], sub="", id=4711, login="ada")
    user = auth.get("/user", headers={"Authorization": f"Bearer {told['access_token']}"}).json()
    assert (user["identities"][0]["id"], user["user_metadata"]["user_name"]) == ("4711", "ada")
    token = {"provider": body["identifier"], "id_token": provider.id_token()}
    refused = auth.post("/token?grant_type=id_token", token, headers=NEW)
    assert error_of(refused)[2] == f'Provider "{body["identifier"]}" is not an OIDC provider'


def test_a_name_that_leads_elsewhere_later_is_not_called(auth: AuthClient) -> None:
    body = oauth2()
    register(auth, body)
    auth.sql("update auth.custom_oauth_providers set token_url = 'https://10.0.0.1/token' where identifier = %s",
             body["identifier"])  # fmt: skip
    refused = auth.get(f"/authorize?provider={body['identifier']}", headers=NEW)
    assert error_of(refused)[2] == "URL cannot resolve to private network addresses"


@pytest.mark.usefixtures("provider")
def test_limits_and_the_switch(start_auth: StartAuth) -> None:
    limited = start_auth(CUSTOM_OAUTH_MAX_PROVIDERS="1")
    limited.sql("delete from auth.custom_oauth_providers")
    register(limited, oidc())
    refused = limited.admin("POST", PATH, oidc(), headers=NEW)
    assert error_of(refused)[:2] == (400, "over_custom_provider_quota")
    off = start_auth(CUSTOM_OAUTH_ENABLED="false")
    disabled = (404, "feature_disabled", "Custom OAuth providers are disabled")
    assert error_of(off.admin("GET", PATH, headers=NEW)) == disabled
    begun = off.get("/authorize?provider=custom:x", headers=NEW)
    assert error_of(begun)[2] == "Unsupported provider: custom OAuth providers are disabled"
    unknown = limited.get("/authorize?provider=custom:none", headers=NEW)
    assert error_of(unknown)[2] == "Unsupported provider: custom provider custom:none not found"
