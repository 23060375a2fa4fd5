"""Endpoints of features that this service lacks, with the answers GoTrue gives when they are off."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import require_admin
from emulator.auth.context import RequestContext


async def oauth_server_off(ctx: RequestContext) -> Response:
    """The OAuth server's own endpoints are not part of this service."""
    require_oauth_server(ctx)
    raise errors.unexpected_failure("The OAuth server's endpoints are not implemented here", 501)


def require_oauth_server(ctx: RequestContext) -> None:
    """Raise feature_disabled unless it is on."""
    if not ctx.settings.oauth_server_enabled:
        raise errors.feature_disabled("OAuth server")


async def custom_providers_off(ctx: RequestContext) -> Response:
    """Providers are configured by variables, not kept in the database."""
    require_admin(ctx)
    raise errors.feature_disabled("Custom OAuth providers", are=True)


async def scim_off(_call: RequestContext) -> Response:
    """Provisioning by a company's directory is not part of this service."""
    raise errors.feature_disabled("SCIM server")


async def sso(_call: RequestContext) -> Response:
    """SAML is not part of this service."""
    raise errors.saml_provider_disabled()
