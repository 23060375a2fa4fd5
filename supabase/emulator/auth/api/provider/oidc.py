"""OpenID Connect: discovery documents and standard claims. Keycloak's URLs follow from its realm.

https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
"""

from emulator.auth.api.provider.provider import (
    Endpoints,
    Json,
    ProviderEmail,
    UserProvidedData,
    named_claims,
    provider_failure,
)

ISSUERS = {
    "google": "https://accounts.google.com",
    "apple": "https://appleid.apple.com",
    "azure": "https://login.microsoftonline.com/common/v2.0",
    "linkedin_oidc": "https://www.linkedin.com/oauth",
    "slack_oidc": "https://slack.com",
    "twitch": "https://id.twitch.tv/oauth2",
}
SCOPES = {"keycloak": "profile email", "google": "email profile", "apple": "email name"}
DEFAULT_SCOPES = "openid email profile"
_STANDARD = ("given_name", "family_name", "nickname", "preferred_username", "picture", "locale", "zoneinfo")


def keycloak_endpoints(realm_url: str) -> Endpoints:
    """Of a realm."""
    base = f"{realm_url}/protocol/openid-connect"
    return Endpoints(f"{base}/auth", f"{base}/token", f"{base}/userinfo", realm_url, f"{base}/certs")


def discovery_url(issuer: str) -> str:
    """Where an issuer describes itself."""
    return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


def discovered_endpoints(document: Json, issuer: str) -> Endpoints:
    """Of a discovery document."""
    return Endpoints(
        str(document.get("authorization_endpoint", "")),
        str(document.get("token_endpoint", "")),
        str(document.get("userinfo_endpoint", "")),
        str(document.get("issuer", issuer)),
        str(document.get("jwks_uri", "")),
    )


def read_user(issuer: str, raw: Json) -> UserProvidedData:
    """Of the claims of an id_token, or of userinfo."""
    subject = raw.get("sub")
    if not isinstance(subject, str) or not subject:
        raise provider_failure()
    email = raw.get("email")
    verified = raw.get("email_verified") in (True, "true")
    emails = (ProviderEmail(email, verified),) if isinstance(email, str) and email else ()
    claims: Json = {"iss": raw.get("iss") or issuer, "sub": subject, "provider_id": subject}
    claims |= {name: raw[name] for name in _STANDARD if isinstance(raw.get(name), str)}
    claims |= named_claims(raw, str(raw.get("preferred_username", "")), raw.get("picture"))
    return UserProvidedData(subject, emails, claims)
