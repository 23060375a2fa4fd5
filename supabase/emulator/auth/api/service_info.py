"""GET /health, /settings and /.well-known/*: what the service says about itself."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import require_admin
from emulator.auth.api.responses import answer
from emulator.auth.context import Call

VERSION = "v2.196.0"
KNOWN_PROVIDERS = (
    "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google",
    "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch",
    "twitter", "zoom",
)  # fmt: skip
PUBLIC_CACHE = {"cache-control": "public, max-age=600"}


async def health(_call: Call) -> Response:
    """Alive."""
    description = "GoTrue is a user registration and authentication API"
    return answer({"version": VERSION, "name": "GoTrue", "description": description})


async def settings(call: Call) -> Response:
    """What a sign-in page needs to know."""
    config = call.settings
    enabled = {name: provider.enabled for name, provider in config.providers.items()}
    external = {"anonymous_users": config.anonymous_enabled}
    external |= {name: enabled.get(name, False) for name in KNOWN_PROVIDERS}
    external |= {name: on for name, on in enabled.items() if name not in external}
    external |= {"email": config.email_enabled, "phone": config.phone_enabled}
    return answer(
        {
            "external": external,
            "disable_signup": config.disable_signup,
            "mailer_autoconfirm": config.mailer.autoconfirm,
            "phone_autoconfirm": config.sms.autoconfirm,
            "sms_provider": config.sms.provider,
            "saml_enabled": False,
            "saml_private_key_next_configured": False,
            "passkeys_enabled": config.passkeys.enabled,
        }
    )


async def jwks(call: Call) -> Response:
    """The public halves of the signing keys; a shared secret never shows."""
    return answer({"keys": [dict(key) for key in call.service.keyring.public]}, headers=PUBLIC_CACHE)


async def openid_configuration(call: Call) -> Response:
    """The discovery document."""
    issuer = call.settings.jwt.issuer or call.settings.api_external_url
    base = issuer.rstrip("/")
    algorithms = sorted({str(key["alg"]) for key in call.service.keyring.public}) or ["HS256"]
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
        "id_token_signing_alg_values_supported": algorithms,
        "scopes_supported": ["openid", "profile", "email", "phone"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "claims_supported": [
            "sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "phone_number",
            "phone_number_verified", "name", "picture", "preferred_username", "updated_at",
        ],
        "code_challenge_methods_supported": ["S256", "plain"],
    }  # fmt: skip
    return answer(document, headers=PUBLIC_CACHE)


async def oauth_authorization_server(call: Call) -> Response:
    """The same document, where the OAuth server is on."""
    require_oauth_server(call)
    return await openid_configuration(call)


async def oauth_server_off(call: Call) -> Response:
    """The OAuth server's own endpoints are not part of this service."""
    require_oauth_server(call)
    raise errors.unexpected_failure("The OAuth server's endpoints are not implemented here", 501)


def require_oauth_server(call: Call) -> None:
    """Raise feature_disabled unless it is on."""
    if not call.settings.oauth_server_enabled:
        raise errors.feature_disabled("OAuth server")


async def custom_providers_off(call: Call) -> Response:
    """Providers are configured by variables, not kept in the database."""
    require_admin(call)
    raise errors.feature_disabled("Custom OAuth providers", are=True)


async def scim_off(_call: Call) -> Response:
    """Provisioning by a company's directory is not part of this service."""
    raise errors.feature_disabled("SCIM server")


async def sso(_call: Call) -> Response:
    """SAML is not part of this service."""
    raise errors.saml_provider_disabled()
