"""OpenID Connect: discovery documents, id_tokens and userinfo, with the claims that GoTrue keeps of each issuer.

https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
"""

import re
from collections.abc import Callable, Mapping

from emulator.auth.api.provider.provider import (
    Endpoints,
    Json,
    UserProvidedData,
    only_email,
    person,
    provider_failure,
    text_of,
)

ISSUERS = {
    "google": "https://accounts.google.com",
    "apple": "https://appleid.apple.com",
    "azure": "https://login.microsoftonline.com/common/v2.0",
    "linkedin_oidc": "https://www.linkedin.com/oauth",
    "slack_oidc": "https://slack.com",
    "twitch": "https://id.twitch.tv/oauth2",
}
SCOPES = {
    "keycloak": "profile email", "google": "email profile", "apple": "email name", "azure": "openid",
    "linkedin_oidc": "openid email profile",
}  # fmt: skip
DEFAULT_SCOPES = "openid email profile"
AZURE = "https://login.microsoftonline.com/common"
_AZURE_ISSUER = re.compile(r"https://login\.microsoftonline\.com/[^/]+/v2\.0/?")
# What a token says about itself, and what is kept under another name.
_AZURE_OWN = (
    "aud", "iss", "iat", "nbf", "exp", "c_hash", "at_hash", "aio", "nonce", "rh", "uti", "jti", "ver", "sub", "name",
    "preferred_username",
)  # fmt: skip
_TEXTS = (
    "iss", "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
    "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at", "phone", "full_name", "avatar_url", "slug",
    "provider_id", "user_name",
)  # fmt: skip
_STANDARD = ("given_name", "family_name", "nickname", "preferred_username", "picture", "locale", "zoneinfo")


def keycloak_endpoints(realm_url: str) -> Endpoints:
    """Of a realm."""
    base = f"{realm_url}/protocol/openid-connect"
    return Endpoints(f"{base}/auth", f"{base}/token", f"{base}/userinfo", realm_url, f"{base}/certs")


def azure_endpoints(url: str) -> Endpoints:
    """Of a tenant at `url`, else of any; who signs in is in the id_token."""
    base = url or AZURE
    return Endpoints(f"{base}/oauth2/v2.0/authorize", f"{base}/oauth2/v2.0/token", "", f"{base}/v2.0")


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


def keycloak_user(issuer: str, raw: Json) -> UserProvidedData:
    """Of Keycloak's userinfo: every claim but four is a custom one."""
    known = ("name", "sub", "email", "email_verified")
    name = text_of(raw, "name")
    return person(
        raw.get("sub"), only_email(raw, raw.get("email_verified") is True), iss=issuer, name=name, full_name=name,
        custom_claims={key: value for key, value in raw.items() if key not in known},
    )  # fmt: skip


def userinfo_user(issuer: str, raw: Json) -> UserProvidedData:
    """Of the userinfo of an issuer that GoTrue has no form of its own for."""
    name, user_name, picture = text_of(raw, "name"), text_of(raw, "preferred_username"), text_of(raw, "picture")
    standard: Json = {key: text_of(raw, key) for key in _STANDARD}
    return person(
        raw.get("sub"), only_email(raw, raw.get("email_verified") in (True, "true")),
        iss=text_of(raw, "iss") or issuer, full_name=name, name=name, user_name=user_name, avatar_url=picture,
        **standard,
    )  # fmt: skip


def id_token_user(claims: Json) -> UserProvidedData:
    """Of a verified id_token, by the form that GoTrue has for its issuer. Raises provider_failure without a subject."""
    if not text_of(claims, "sub"):
        raise provider_failure()
    issuer = text_of(claims, "iss")
    if _AZURE_ISSUER.fullmatch(issuer):
        return _azure(claims)
    return _READERS.get(issuer, _generic)(claims)


def _google(claims: Json) -> UserProvidedData:
    name, picture = text_of(claims, "name"), text_of(claims, "picture")
    hosted = text_of(claims, "hd")
    verified = claims.get("email_verified") is True or claims.get("verified_email") is True
    return person(
        claims["sub"], only_email(claims, verified), iss=text_of(claims, "iss"), name=name, full_name=name,
        picture=picture, avatar_url=picture, custom_claims={"hd": hosted} if hosted else None,
    )  # fmt: skip


def _apple(claims: Json) -> UserProvidedData:
    own = {name: claims[name] for name in ("is_private_email", "auth_time", "transfer_sub") if claims.get(name)}
    return person(claims["sub"], only_email(claims, True), iss=text_of(claims, "iss"), custom_claims=own or None)


def _linkedin(claims: Json) -> UserProvidedData:
    given, family = text_of(claims, "given_name"), text_of(claims, "family_name")
    return person(
        claims["sub"], only_email(claims, claims.get("email_verified") in (True, "true")),
        iss=text_of(claims, "iss"), name=f"{given} {family}".strip(), given_name=given, family_name=family,
        locale=text_of(claims, "locale"), picture=text_of(claims, "picture"),
    )  # fmt: skip


def _azure(claims: Json) -> UserProvidedData:
    """An address counts as verified unless `xms_edov`, which tenants may add, says that it is not."""
    owner_verified = claims.get("xms_edov", True) in (True, "1", "true")
    return person(
        claims["sub"], only_email(claims, owner_verified), iss=text_of(claims, "iss"),
        preferred_username=text_of(claims, "preferred_username"), full_name=text_of(claims, "name"),
        custom_claims={name: value for name, value in claims.items() if name not in _AZURE_OWN},
    )  # fmt: skip


def _generic(claims: Json) -> UserProvidedData:
    """The standard claims as they are, those about the token itself included; `provider_id` only if it is one."""
    aud, own = claims.get("aud"), claims.get("custom_claims")
    about: Json = {name: claims[name] for name in ("iat", "exp") if isinstance(claims.get(name), (int, float))}
    about |= {"aud": [aud] if isinstance(aud, str) else aud}
    texts = {name: text_of(claims, name) for name in _TEXTS}
    return person(
        claims["sub"], only_email(claims, claims.get("email_verified") is True),
        custom_claims=own if isinstance(own, dict) else None, **about, **texts,
    )  # fmt: skip


_READERS: Mapping[str, Callable[[Json], UserProvidedData]] = {
    "https://accounts.google.com": _google,
    "https://appleid.apple.com": _apple,
    "https://account.apple.com": _apple,
    "https://www.linkedin.com/oauth": _linkedin,
}
