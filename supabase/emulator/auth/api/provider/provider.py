"""External identity providers: where they are, what they are asked for, and how they name people.

OpenID Connect providers are found by discovery, a few others by their own user API. A provider that has an
EXTERNAL_<P>_URL and is none of the known ones is taken for an OpenID Connect issuer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from emulator.auth import errors
from emulator.auth.conf.settings import ProviderSettings
from emulator.auth.context import Call
from emulator.errors import ApiError

if TYPE_CHECKING:
    import httpx

Json = dict[str, Any]
METADATA_CACHE_S = 600
ISSUERS = {
    "google": "https://accounts.google.com",
    "apple": "https://appleid.apple.com",
    "azure": "https://login.microsoftonline.com/common/v2.0",
    "linkedin_oidc": "https://www.linkedin.com/oauth",
    "slack_oidc": "https://slack.com",
    "twitch": "https://id.twitch.tv/oauth2",
}
GITHUB, GITLAB, DISCORD = "https://github.com", "https://gitlab.com", "https://discord.com"
SCOPES = {
    "github": "user:email", "gitlab": "read_user", "discord": "email identify", "keycloak": "profile email",
    "google": "email profile", "apple": "email name",
}  # fmt: skip
NO_PKCE = ("apple", "discord")
RESERVED_PARAMS = frozenset(
    (
        "scopes", "provider", "client_id", "client_secret", "redirect_uri", "response_type", "state",
        "code_challenge", "code_challenge_method", "code_verifier", "skip_http_redirect", "apikey",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Endpoints:
    """A provider's addresses; `issuer` and `jwks` only of OpenID Connect."""

    authorization: str
    token: str
    userinfo: str = ""
    issuer: str = ""
    jwks: str = ""


@dataclass(frozen=True)
class ProviderEmail:
    """An address that a provider vouches for, or not."""

    email: str
    verified: bool
    primary: bool = True


@dataclass(frozen=True)
class ProviderUser:
    """Somebody as a provider knows them. `claims` become identity data and user metadata."""

    subject: str
    emails: tuple[ProviderEmail, ...]
    claims: Json
    access_token: str = ""
    refresh_token: str = ""


@dataclass(frozen=True)
class Provider:
    """A usable provider."""

    settings: ProviderSettings
    endpoints: Endpoints
    scopes: str
    pkce: bool
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As in `provider=`."""
        return self.settings.name


async def load_provider(call: Call, name: str) -> Provider:
    """A provider by name; raises validation_failed when it is unknown, off or unfinished."""
    settings = call.settings.providers.get(name.lower())
    if settings is None:
        raise errors.validation_failed(f"Unsupported provider: Provider {name} could not be found")
    if not settings.enabled:
        raise errors.validation_failed("Unsupported provider: provider is not enabled")
    for value, what in ((settings.client_ids, "client ID"), (settings.secret, "secret")):
        if not value:
            raise errors.validation_failed(f"Unsupported provider: missing OAuth {what}")
    endpoints = await find_endpoints(call, settings)
    scopes = SCOPES.get(settings.name, "openid email profile")
    return Provider(settings, endpoints, scopes, settings.name not in NO_PKCE)


async def find_endpoints(call: Call, settings: ProviderSettings) -> Endpoints:
    """Fixed, derived from the URL, or discovered."""
    name, url = settings.name, settings.url
    if name == "github":
        host = url or GITHUB
        api = f"{url}/api/v3" if url else "https://api.github.com"
        return Endpoints(f"{host}/login/oauth/authorize", f"{host}/login/oauth/access_token", f"{api}/user")
    if name == "gitlab":
        host = url or GITLAB
        return Endpoints(f"{host}/oauth/authorize", f"{host}/oauth/token", f"{host}/api/v4/user")
    if name == "discord":
        api = f"{DISCORD}/api"
        return Endpoints(f"{api}/oauth2/authorize", f"{api}/oauth2/token", f"{api}/users/@me")
    if name == "keycloak":
        base = f"{url}/protocol/openid-connect"
        return Endpoints(f"{base}/auth", f"{base}/token", f"{base}/userinfo", url, f"{base}/certs")
    issuer = url or ISSUERS.get(name)
    if not issuer:
        raise errors.validation_failed(f"Unsupported provider: Provider {name} could not be found")
    document = await fetch_json(call, f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    return Endpoints(
        str(document.get("authorization_endpoint", "")),
        str(document.get("token_endpoint", "")),
        str(document.get("userinfo_endpoint", "")),
        str(document.get("issuer", issuer)),
        str(document.get("jwks_uri", "")),
    )


async def fetch_json(call: Call, url: str) -> Json:
    """A provider's public document, kept for ten minutes."""
    cache: dict[str, tuple[float, Json]] = call.service.caches.setdefault("provider_documents", {})
    until, document = cache.get(url, (0.0, {}))
    if call.now.timestamp() < until:
        return document
    document = await _json_of(call.service.http.build_request("GET", url), call)
    cache[url] = (call.now.timestamp() + METADATA_CACHE_S, document)
    return document


async def _json_of(request: "httpx.Request", call: Call) -> Json:
    import httpx

    try:
        response = await call.service.http.send(request)
        response.raise_for_status()
        document = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise provider_failure("Unable to reach the external provider") from error
    if not isinstance(document, dict):
        raise provider_failure("Unexpected answer of the external provider")
    return document


def provider_failure(message: str) -> ApiError:
    """The provider let us down."""
    return errors.unexpected_failure(message)


def authorization_url(provider: Provider, call: Call, state: str, challenge: str) -> str:
    """Where the browser goes; the caller's other parameters go along."""
    passed = {name: value for name, value in call.request.query_params.items() if name not in RESERVED_PARAMS}
    if "workos_provider" in passed:
        passed["provider"] = passed.pop("workos_provider")
    asked = [scope.strip() for scope in call.query("scopes").split(",") if scope.strip()]
    items = {
        **passed,
        "client_id": provider.settings.client_ids[0],
        "redirect_uri": redirect_uri(provider, call),
        "response_type": "code",
        "scope": " ".join([provider.scopes, *asked]),
        "state": state,
    }
    if challenge:
        items |= {"code_challenge": challenge, "code_challenge_method": "S256"}
    joint = "&" if "?" in provider.endpoints.authorization else "?"
    return provider.endpoints.authorization + joint + urlencode(items)


def redirect_uri(provider: Provider, call: Call) -> str:
    """Where the provider sends people back to."""
    return provider.settings.redirect_uri or call.settings.api_external_url.rstrip("/") + "/callback"


async def exchange_code(provider: Provider, call: Call, code: str, verifier: str) -> ProviderUser:
    """Who the code stands for, as the provider says."""
    form = {
        "grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri(provider, call),
        "client_id": provider.settings.client_ids[0], "client_secret": provider.settings.secret,
    }  # fmt: skip
    if verifier:
        form["code_verifier"] = verifier
    http, accept = call.service.http, {"accept": "application/json"}
    tokens = await _json_of(http.build_request("POST", provider.endpoints.token, data=form, headers=accept), call)
    access_token = tokens.get("access_token")
    if not isinstance(access_token, str) or not access_token:
        raise provider_failure("Unable to exchange external code")
    headers = {**accept, "authorization": f"Bearer {access_token}"}
    claims = await _json_of(http.build_request("GET", provider.endpoints.userinfo, headers=headers), call)
    emails: list[Any] = []
    if provider.name == "github":
        request = http.build_request("GET", f"{provider.endpoints.userinfo}/emails", headers=headers)
        response = await http.send(request)
        emails = response.json() if response.is_success else []
    refresh_token = tokens.get("refresh_token")
    return read_user(provider, claims, emails, access_token, refresh_token if isinstance(refresh_token, str) else "")


def read_user(
    provider: Provider, raw: Json, emails: list[Any], access_token: str = "", refresh_token: str = ""
) -> ProviderUser:
    """A provider's answer in our words."""
    if provider.name == "github":
        found = tuple(
            ProviderEmail(str(item["email"]), bool(item.get("verified")), bool(item.get("primary")))
            for item in emails
            if isinstance(item, dict) and item.get("email")
        )
        claims = _named(raw, str(raw.get("login", "")), raw.get("avatar_url"))
        subject = str(raw.get("id", ""))
    elif provider.name in ("gitlab", "discord"):
        verified = bool(raw.get("confirmed_at")) if provider.name == "gitlab" else bool(raw.get("verified"))
        found = (ProviderEmail(str(raw["email"]), verified),) if raw.get("email") else ()
        claims = _named(raw, str(raw.get("username", "")), raw.get("avatar_url"))
        subject = str(raw.get("id", ""))
    else:
        return oidc_user(raw, provider.endpoints.issuer, access_token, refresh_token)
    if not subject:
        raise provider_failure("Error getting user profile from external provider")
    return ProviderUser(
        subject, found, {"iss": provider.endpoints.userinfo, "sub": subject, **claims}, access_token, refresh_token
    )


def oidc_user(raw: Json, issuer: str, access_token: str = "", refresh_token: str = "") -> ProviderUser:
    """Somebody described by OpenID Connect's standard claims."""
    subject = raw.get("sub")
    if not isinstance(subject, str) or not subject:
        raise provider_failure("Error getting user profile from external provider")
    email = raw.get("email")
    verified = raw.get("email_verified") in (True, "true")
    emails = (ProviderEmail(email, verified),) if isinstance(email, str) and email else ()
    standard = ("given_name", "family_name", "nickname", "preferred_username", "picture", "locale", "zoneinfo")
    claims: Json = {"iss": raw.get("iss") or issuer, "sub": subject, "provider_id": subject}
    claims |= {name: raw[name] for name in standard if isinstance(raw.get(name), str)}
    claims |= _named(raw, str(raw.get("preferred_username", "")), raw.get("picture"))
    return ProviderUser(subject, emails, claims, access_token, refresh_token)


def _named(raw: Json, user_name: str, picture: object) -> Json:
    claims: Json = {"provider_id": str(raw.get("sub") or raw.get("id") or "")}
    name = raw.get("name")
    if isinstance(name, str) and name:
        claims |= {"name": name, "full_name": name}
    if user_name:
        claims |= {"user_name": user_name, "preferred_username": user_name}
    if isinstance(picture, str) and picture:
        claims |= {"avatar_url": picture, "picture": picture}
    return claims
