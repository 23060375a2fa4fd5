"""/.well-known: the public signing keys and the discovery documents."""

from starlette.responses import Response

from emulator.auth.api.oauth.clients import require_oauth_server
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext

PUBLIC_CACHE = {"cache-control": "public, max-age=600"}


async def jwks(ctx: RequestContext) -> Response:
    """The public parts of the signing keys; a shared secret is never among them."""
    return json_response({"keys": [dict(key) for key in ctx.service.keyring.public]}, headers=PUBLIC_CACHE)


async def openid_configuration(ctx: RequestContext) -> Response:
    """The OpenID Connect discovery document."""
    issuer = ctx.settings.jwt.issuer or ctx.settings.api_external_url
    base = issuer.rstrip("/")
    registers = ctx.settings.oauth_server_enabled and ctx.settings.oauth_server_registration
    document = {
        "issuer": issuer,
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "jwks_uri": f"{base}/.well-known/jwks.json",
        "userinfo_endpoint": f"{base}/oauth/userinfo",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "ES256"],
        "scopes_supported": ["openid", "profile", "email", "phone", "offline_access"],
        **({"registration_endpoint": f"{base}/oauth/clients/register"} if registers else {}),
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "claims_supported": [
            "sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "phone_number",
            "phone_number_verified", "name", "picture", "preferred_username", "updated_at",
        ],
        "code_challenge_methods_supported": ["S256", "plain"],
    }  # fmt: skip
    return json_response(document, headers=PUBLIC_CACHE)


async def oauth_authorization_server(ctx: RequestContext) -> Response:
    """The same document, if the OAuth server is enabled."""
    require_oauth_server(ctx)
    return await openid_configuration(ctx)
