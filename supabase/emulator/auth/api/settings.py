"""GET /health and GET /settings: what a sign-in page needs to know."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.startup import is_ready

VERSION = "v2.197.0"  # the image that docker-compose.yml names
KNOWN_PROVIDERS = (
    "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google",
    "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch",
    "twitter", "zoom",
)  # fmt: skip


async def health(ctx: RequestContext) -> Response:
    """Name and version, once requests will work; raises database_unavailable while they would not.

    GoTrue does not ask the database: it starts serving after its migrations and ends without a database.
    """
    if not await is_ready(ctx.service):
        raise errors.database_unavailable()
    description = "GoTrue is a user registration and authentication API"
    return json_response({"version": VERSION, "name": "GoTrue", "description": description})


async def settings(ctx: RequestContext) -> Response:
    """What a sign-in page needs to know."""
    config = ctx.settings
    enabled = {name: provider.enabled for name, provider in config.providers.items()}
    external = {"anonymous_users": config.anonymous_enabled}
    external |= {name: enabled.get(name, False) for name in KNOWN_PROVIDERS}
    external |= {"email": config.email_enabled, "phone": config.phone_enabled}
    return json_response(
        {
            "external": external,
            "disable_signup": config.disable_signup,
            "mailer_autoconfirm": config.mailer.autoconfirm,
            "phone_autoconfirm": config.sms.autoconfirm,
            "sms_provider": config.sms.provider,
            "saml_enabled": config.saml.enabled,
            "saml_private_key_next_configured": True,  # as GoTrue says with and without SAML
            "passkeys_enabled": config.passkeys.enabled,
        }
    )
