"""Endpoints of features that this service lacks, with GoTrue's responses for when they are disabled."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.context import RequestContext


async def scim_off(_ctx: RequestContext) -> Response:
    """User provisioning by SCIM."""
    raise errors.feature_disabled("SCIM server")
