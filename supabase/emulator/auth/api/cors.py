"""CORS for a service that stands alone; behind the gateway, the gateway answers for all."""

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from emulator.auth.api.responses import VERSION_HEADER


def with_cors(app: ASGIApp) -> ASGIApp:
    """Any origin, any request header (apikey among them); the headers that clients read are exposed."""
    return CORSMiddleware(
        app,
        allow_origins=["*"],
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=["*"],
        expose_headers=["X-Total-Count", "Link", VERSION_HEADER],
    )
