"""/status, /version, /health and /cdn."""

from emulator.storage.database.session import statement
from emulator.storage.errors import StorageError, invalid_role, missing_parameter
from emulator.storage.service import Context
from emulator.storage.wire.response import Response, json_response

VERSION = "1.90.1"  # the image that docker-compose.yml names


async def status(_context: Context) -> Response:
    """GET /status: the process is up."""
    return Response(200)


async def version(_context: Context) -> Response:
    """GET /version."""
    return Response(200, [("content-type", "text/plain; charset=utf-8")], VERSION.encode())


async def health(context: Context) -> Response:
    """GET /health: whether the database answers; any valid token may ask."""
    context.principal()
    try:
        await context.db.run(context.superuser(), statement("select '{}'::text from storage.buckets limit 1"))
    except StorageError:
        return json_response({"healthy": False})
    return json_response({"healthy": True})


async def purge(context: Context) -> Response:
    """DELETE /cdn: there is none to purge."""
    if not context.require_service_role():
        raise invalid_role()
    raise missing_parameter("CDN_PURGE_ENDPOINT_URL is not set")
