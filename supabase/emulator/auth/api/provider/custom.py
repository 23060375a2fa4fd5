"""Providers that admins registered: their settings as those of any other provider, and their people."""

from typing import Any

from emulator.auth import errors
from emulator.auth.api.provider import oidc
from emulator.auth.api.provider.provider import CustomRules, Endpoints, Json, UserProvidedData
from emulator.auth.conf.external import ProviderSettings
from emulator.auth.context import RequestContext
from emulator.auth.models.custom_oauth_providers import CustomOAuthProvider


def require_custom_providers(ctx: RequestContext) -> None:
    """Raise feature_disabled where CUSTOM_OAUTH_ENABLED is off."""
    if not ctx.settings.custom_oauth_enabled:
        raise errors.feature_disabled("Custom OAuth providers", are=True)


def settings_of(provider: CustomOAuthProvider, ctx: RequestContext) -> ProviderSettings:
    """As if variables had named it."""
    base = ctx.settings.custom_oauth_external_url or ctx.settings.api_external_url
    return ProviderSettings(
        name=provider.identifier, enabled=provider.enabled,
        client_ids=(provider.client_id, *provider.acceptable_client_ids), secret=provider.client_secret,
        redirect_uri=f"{base.rstrip('/')}/callback", url=provider.issuer or "",
        skip_nonce_check=provider.skip_nonce_check, email_optional=provider.email_optional,
    )  # fmt: skip


def discovery_url(provider: CustomOAuthProvider) -> str:
    """Where its issuer describes itself, unless an admin named another place."""
    return provider.discovery_url or oidc.discovery_url(provider.issuer or "")


def fixed_endpoints(provider: CustomOAuthProvider) -> Endpoints:
    """Of plain OAuth 2.0."""
    return Endpoints(
        provider.authorization_url or "", provider.token_url or "", provider.userinfo_url or "",
        jwks=provider.jwks_uri or "",
    )  # fmt: skip


def rules_of(provider: CustomOAuthProvider) -> CustomRules:
    """What an admin said of it."""
    return CustomRules(
        provider.provider_type == "oidc", provider.authorization_params, provider.attribute_mapping,
        tuple(provider.custom_claims_allowlist),
    )  # fmt: skip


def read_user(rules: CustomRules, raw: Json) -> UserProvidedData:
    """A person of the claims of an ID token or of userinfo, renamed by `attribute_mapping`.

    A source is the name of a claim; what is no text is a value of its own. GoTrue maps only claims that it knows.
    """
    claims = dict(raw)
    for target, source in rules.attribute_mapping.items():
        if not isinstance(source, str):
            claims[target] = source
        elif source in raw:
            claims[target] = raw[source]
    if isinstance(claims.get("sub"), int):  # as of GitHub
        claims["sub"] = str(claims["sub"])
    kept: dict[str, Any] = {name: raw[name] for name in rules.kept_claims if name in raw}
    claims["custom_claims"] = kept or None
    return oidc.id_token_user(claims)
